/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps in the order in which they run. */
#include "step.h"

#include <string.h>

extern const struct fb_step fb_step_identity, fb_step_ports, fb_step_hostkeys, fb_step_accounts, fb_step_network,
	fb_step_time, fb_step_apt, fb_step_packages, fb_step_updates, fb_step_cpu, fb_step_closure;

const struct fb_step *const fb_steps[] = {
	&fb_step_identity,	/* the machine-id comes first: the tag of the host keys is made from it */
	&fb_step_ports,
	&fb_step_hostkeys,
	&fb_step_accounts,
	&fb_step_network,
	&fb_step_time,
	&fb_step_apt,
	&fb_step_packages,
	&fb_step_updates,
	&fb_step_cpu,
	&fb_step_closure,	/* last: it takes away what is no longer needed once all else holds */
};
const size_t fb_n_steps = FB_ARRAY_LEN(fb_steps);

size_t fb_step_keys(struct fb_arena *arena, struct fb_keys **ret_table)
{
	struct fb_keys *table = fb_alloc(arena, fb_n_steps * sizeof(*table));
	for (size_t i = 0; i < fb_n_steps; i++)
		table[i] = (struct fb_keys){ fb_steps[i]->keys, fb_steps[i]->n_keys };
	*ret_table = table;
	return fb_n_steps;
}
