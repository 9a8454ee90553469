/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends the program before each mutating call in turn, looks at what is left, runs again to the end, and compares with a
 * run that was not cut: cut KIND BEFORE WORK [STRIDE]. KIND: boot (all stages of the first boot, power lost), edit (of a
 * later one, with /boot/provision.conf.next as its provision.conf), hand (by hand on a running box, the process killed),
 * image (offline). BEFORE: a root with /boot/provision.conf or without. WORK: an empty directory, best on tmpfs.
 * STRIDE n: also cut the second run, at every n-th place.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "choose.h"
#include "run.h"
#include "sim.h"
#include "text.h"
#include "tree.h"

enum kind { BOOT, EDIT, HAND, IMAGE };
static const char *const kind_name[] = { [BOOT] = "boot", [EDIT] = "edit", [HAND] = "hand", [IMAGE] = "image" };

struct trial {
	enum kind kind;
	const char *before, *work, *root, *keys;
	struct fb_arena *arena;		/* lives through all cuts */
	struct tree old, new;		/* before, and after a run that was not cut */
	const char *calls;		/* requests to systemd of that run */
	unsigned n_states;
};

static _Noreturn void die(const char *what, const char *why)
{
	(void)fprintf(stderr, "cut: %s: %s\n", what, why);
	exit(70);
}

static void run_tool(const char *const *argv)
{
	int status;
	pid_t pid = vfork();
	if (pid == 0) {
		(void)execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		die(argv[0], "failed");
}

static void reset(const struct trial *trial)
{
	run_tool((const char *const[]){ "/bin/rm", "-rf", trial->root, NULL });
	run_tool((const char *const[]){ "/bin/cp", "-a", trial->before, trial->root, NULL });
}

/* One process of the program, in one stage. Returns how it would exit. */
static enum fb_exit stage(const struct trial *trial, struct sim *sim, enum fb_stage which)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_choice choice;
	struct fb_error err;
	struct fb_env offline = fb_env_offline;
	offline.log = sim->env.log;		/* of a thousand runs only the errors */
	struct fb_engine engine = {
		.env = trial->kind == IMAGE ? &offline : &sim->env, .arena = arena, .stage = which,
	};
	if (fb_fs_open(&engine.fs, trial->root, &err) < 0)
		die("open", err.text);
	fb_choose(&engine.fs, arena, NULL, &choice);
	if (choice.refused)
		die("provision.conf", fb_conf_message(choice.refused, &choice.refused->complaint[0]));
	engine.conf = choice.conf;
	engine.is_changed = choice.is_changed;
	engine.fs.before = sim_before;
	fb_engine_start(&engine);
	enum fb_exit code = fb_run_apply(&engine, NULL);
	fb_fs_close(&engine.fs);
	fb_arena_free(arena);
	return code;
}

static enum fb_exit run_all(const struct trial *trial, struct sim *sim)
{
	static const enum fb_stage stages[] = { FB_STAGE_EARLY, FB_STAGE_ONLINE, FB_STAGE_HANDOFF };
	enum fb_exit worst = FB_EXIT_OK;
	if (trial->kind == HAND || trial->kind == IMAGE)
		return stage(trial, sim, FB_STAGE_ALL);
	sim_power_on(sim);
	for (size_t i = 0; i < FB_ARRAY_LEN(stages); i++) {
		enum fb_exit code = stage(trial, sim, stages[i]);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* False: there was no mutation number cut. The requests to systemd before the cut go to WORK/calls. */
static bool run_cut(const struct trial *trial, unsigned cut)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		struct sim sim;
		sim_start(&sim, trial->root, trial->keys);
		sim.calls_fd = open(fb_format(trial->arena, "%s/calls", trial->work), O_WRONLY | O_CREAT | O_APPEND, 0600);
		sim.cut = cut;
		if (trial->kind == HAND)
			sim_power_on(&sim);
		(void)run_all(trial, &sim);	/* it has the exit code of the run that was not cut, or is seen below */
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		die("fork", "the run that was to be cut crashed");
	if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != SIM_CUT)
		die("cut run", "exit code of a failure");
	return WEXITSTATUS(status) == SIM_CUT;
}

static bool is_staged(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	return *name == '.' && fb_text_ends(name, ".r4s");
}

static bool is_record(const char *path)
{
	return fb_text_starts(path, FB_STATE_DIR "/");		/* written several times in one run */
}

/* Everything is old or new, never torn; records are whole. NULL, or what is wrong. */
static const char *look(const struct trial *trial, struct fb_arena *arena)
{
	struct tree now = tree_read(arena, trial->root);
	for (size_t i = 0; i < now.n; i++) {
		const struct tree_entry *entry = &now.entry[i];
		const struct tree_entry *old = tree_find(&trial->old, entry->path), *new = tree_find(&trial->new, entry->path);
		if (is_staged(entry->path) || S_ISDIR(entry->mode))
			continue;
		if (is_record(entry->path)) {
			if (entry->len < 3 || !fb_text_ends(entry->text, "\n"))
				return fb_format(arena, "%s is torn", entry->path);
		} else if (!tree_is_same(entry, old) && !tree_is_same(entry, new)) {
			return fb_format(arena, "%s is neither old nor new: %o %u:%u \"%.60s\"", entry->path, entry->mode,
					 entry->uid, entry->gid, entry->text);
		}
	}
	for (size_t i = 0; i < trial->old.n; i++) {
		const char *path = trial->old.entry[i].path;
		if (tree_find(&trial->new, path) && !tree_find(&now, path))
			return fb_format(arena, "%s was there before and is afterwards, but not now", path);
	}
	return NULL;
}

/* Each request of the run that was not cut was made before the cut or after it. */
static const char *owed(const struct trial *trial, struct fb_arena *arena, const struct sim *sim)
{
	char before[8192] = "";
	const char *line;
	size_t len;
	FILE *f = fopen(fb_format(arena, "%s/calls", trial->work), "r");
	size_t n = f ? fread(before, 1, sizeof(before) - 1, f) : 0;
	before[n] = '\0';
	if (f)
		(void)fclose(f);	/* only read from */
	for (const char *at = trial->calls; trial->kind == HAND && fb_text_next_line(&at, &line, &len);) {
		const char *call = fb_strndup(arena, line, len + 1);
		if (!strstr(before, call) && !strstr(sim->calls, call))
			return fb_format(arena, "nobody did: %.*s", (int)len, line);
	}
	return NULL;
}

/* To the end, and once more to see that nothing is left to do. */
static const char *finish(const struct trial *trial, struct fb_arena *arena)
{
	struct sim sim;
	sim_start(&sim, trial->root, trial->keys);
	if (trial->kind == HAND)	/* the box went on running */
		for (size_t i = 0; i < 2; i++)
			(void)snprintf(sim.link[i].name, sizeof(sim.link[i].name), "enp0s%zu", i + 2);
	enum fb_exit code = run_all(trial, &sim);
	/* There is no network in it, so what needs one is to be tried again. */
	if (code != FB_EXIT_OK && code != FB_EXIT_DEGRADED && code != FB_EXIT_RETRY && code != FB_EXIT_CONFIG)
		return fb_format(arena, "the run after the cut ends with exit %d", code);
	struct tree end = tree_read(arena, trial->root);
	const char *wrong = tree_diff(arena, &trial->new, &end);
	wrong = wrong ? wrong : owed(trial, arena, &sim);
	if (wrong)
		return wrong;
	sim.n = 0;
	(void)run_all(trial, &sim);
	return sim.n ? fb_format(arena, "the run after that still made %u changes: %s", sim.n, sim.first) : NULL;
}

static void tell(const struct trial *trial, unsigned first, unsigned second, const char *wrong)
{
	(void)printf("not ok %s: cut before mutation %u", kind_name[trial->kind], first);
	if (second)
		(void)printf(", then before %u", second);
	(void)printf(" - %s\n", wrong);
}

/* All cuts of a first run, and with a stride also of the second. Returns the number of failures, at most a few. */
static unsigned cut_all(struct trial *trial, unsigned stride)
{
	unsigned n_wrong = 0;
	for (unsigned first = 1; n_wrong < 5; first++)
		for (unsigned second = 0; n_wrong < 5; second = second ? second + stride : 1 + first % stride) {
			struct fb_arena *arena = fb_arena_new();
			reset(trial);
			(void)unlink(fb_format(arena, "%s/calls", trial->work));	/* of the trial before, if any */
			if (!run_cut(trial, first)) {
				fb_arena_free(arena);
				return n_wrong;
			}
			bool is_cut_again = second && run_cut(trial, second);
			const char *wrong = look(trial, arena);
			wrong = wrong ? wrong : finish(trial, arena);
			trial->n_states++;
			if (wrong) {
				tell(trial, first, second, wrong);
				n_wrong++;
			}
			fb_arena_free(arena);
			if (!stride || (second && !is_cut_again))
				break;
		}
	return n_wrong;
}

/* One real host key of each type; making them anew each time would take most of the time. */
static void make_keys(const struct trial *trial)
{
	static const char *const types[] = { "rsa", "ecdsa", "ed25519" };
	for (size_t i = 0; i < FB_ARRAY_LEN(types); i++) {
		const char *file = fb_format(trial->arena, "%s/%s", trial->keys, types[i]);
		if (access(file, R_OK) < 0)
			run_tool((const char *const[]){ "/usr/bin/ssh-keygen", "-q", "-t", types[i], "-N", "", "-f", file, NULL });
	}
}

/* A box that was carried out to its end, and then got another file: the root that all trials start from. */
static void make_edited(struct trial *trial)
{
	const char *base = fb_format(trial->arena, "%s/base", trial->work);
	const char *record = fb_format(trial->arena, "%s" FB_STATE_DIR "/state.json", trial->root);
	struct sim sim;
	sim_start(&sim, trial->root, trial->keys);
	(void)run_all(trial, &sim);		/* how it ends is seen below: without a record there is no edit */
	/* Here probes find no network, so no run is ever whole. */
	run_tool((const char *const[]){ "/bin/sed", "-i", "s/\"applied\": false/\"applied\": true/", record, NULL });
	run_tool((const char *const[]){ "/bin/grep", "-q", "\"applied\": true", record, NULL });
	run_tool((const char *const[]){ "/bin/mv", fb_format(trial->arena, "%s/boot/provision.conf.next", trial->root),
					fb_format(trial->arena, "%s/boot/provision.conf", trial->root), NULL });
	run_tool((const char *const[]){ "/bin/cp", "-a", trial->root, base, NULL });
	trial->before = base;
}

int main(int argc, char **argv)
{
	struct trial trial = { .arena = fb_arena_new() };
	if (argc < 4 || argc > 5) {
		(void)fprintf(stderr, "usage: cut boot|edit|hand|image BEFORE WORK [STRIDE]\n");
		return 64;
	}
	while (trial.kind < IMAGE && strcmp(kind_name[trial.kind], argv[1]))
		trial.kind++;
	trial.before = argv[2];
	trial.work = argv[3];
	trial.root = fb_format(trial.arena, "%s/root", trial.work);
	trial.keys = fb_format(trial.arena, "%s/keys", trial.work);
	(void)mkdir(trial.keys, 0700);		/* may be there */
	(void)umask(022);			/* as main() of the program does */
	make_keys(&trial);

	struct sim sim;
	reset(&trial);
	if (trial.kind == EDIT) {
		make_edited(&trial);
		reset(&trial);
	}
	sim_start(&sim, trial.root, trial.keys);
	if (trial.kind == HAND)
		sim_power_on(&sim);
	enum fb_exit code = run_all(&trial, &sim);
	if (code != FB_EXIT_OK && code != FB_EXIT_DEGRADED && code != FB_EXIT_RETRY && code != FB_EXIT_CONFIG)
		die("the run without a cut", fb_format(trial.arena, "exit %d", code));
	trial.old = tree_read(trial.arena, trial.before);
	trial.new = tree_read(trial.arena, trial.root);
	trial.calls = fb_strdup(trial.arena, sim.calls);
	unsigned n_wrong = cut_all(&trial, argc == 5 ? (unsigned)atoi(argv[4]) : 0);
	if (!n_wrong && trial.n_states)
		(void)printf("ok %s: %u cuts of %u mutations\n", kind_name[trial.kind], trial.n_states, sim.n);
	fb_arena_free(trial.arena);
	return n_wrong || !trial.n_states;
}
