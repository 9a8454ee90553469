/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which provision.conf counts: the one on the boot partition, or the one that the box holds. */
#ifndef FB_CHOOSE_H
#define FB_CHOOSE_H

#include "conf.h"
#include "fs.h"

#define FB_CONF_BOOT "/boot/provision.conf"
#define FB_CONF_HELD "/etc/r4s/provision.conf"

/*
 * Read and judge one provision.conf: file if not NULL, else the one on the boot partition, else the one that the box
 * holds. -ENOENT: there is none. Other errors: it cannot be read. Complaints are in ret_conf. Secrets that say "kept"
 * come from what the box holds; where it holds nothing they are accepted only if is_alone, as on a PC.
 */
int fb_conf_load(struct fb_fs *fs, struct fb_arena *arena, const char *file, bool is_alone, struct fb_conf *ret_conf,
		 struct fb_error *err);

struct fb_choice {
	struct fb_conf *conf;		/* what the box shall be; NULL: nothing is known */
	struct fb_conf *refused;	/* was to replace it, but has complaints; NULL: none */
	bool is_changed;		/* conf is not what the box holds already */
};

/* For an apply. A file that cannot be read or has complaints leaves the box on what it holds. */
void fb_choose(struct fb_fs *fs, struct fb_arena *arena, const char *file, struct fb_choice *ret_choice);

/*
 * After a durable end: the file on the boot partition becomes what the box holds, with "kept" for each secret. A box
 * without that file is fine.
 */
int fb_boot_keep(struct fb_fs *fs, struct fb_arena *arena, struct fb_error *err);
/* Tell whoever puts the card into a PC why provision.conf is refused; NULL: there is nothing to tell any more. */
int fb_boot_tell(struct fb_fs *fs, struct fb_arena *arena, const struct fb_conf *refused, struct fb_error *err);

#endif
