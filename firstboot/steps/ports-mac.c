/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which MAC address a port gets: a recorded one stays as long as it is acceptable. */
#include "ports.h"

#include <string.h>

enum { SEED_AT = 16, SEED_STEP = 8 };	/* bytes of the seed; the machine-id takes the first 16 */

const char *const fb_mac_source_line[FB_N_MAC_SOURCES] = {
	[FB_MAC_LATER] = "# MACAddress: to be set at the first boot",
	[FB_MAC_GIVEN] = "# MACAddress: given in provision.conf",
	[FB_MAC_RANDOM] = "# MACAddress: random, drawn once on this box",
	[FB_MAC_EEPROM] = "# MACAddress: from the EEPROM of the board",
	[FB_MAC_CPUID] = "# MACAddress: from the number of the SoC",
	[FB_MAC_FALLBACK] = "# MACAddress: random, as neither EEPROM nor SoC number could be read",
	[FB_MAC_KERNEL] = "# MACAddress: as the kernel found it",
};

const char *fb_ports_path(struct fb_view *view, enum fb_port_role role)
{
	return fb_format(view->arena, "/etc/systemd/network/05-%s.link", fb_port_name[role]);
}

struct fb_port_mac fb_ports_recorded(struct fb_view *view, enum fb_port_role role)
{
	static const char key[] = "\nMACAddress=";
	struct fb_port_mac old = { .source = FB_MAC_LATER };
	const char *text = fb_view_text(view, fb_ports_path(view, role));
	if (!text)
		return old;
	for (enum fb_mac_source source = 0; source < FB_N_MAC_SOURCES; source++)
		if (strstr(text, fb_mac_source_line[source]))
			old.source = source;
	const char *value = strstr(text, key);
	if (value) {
		value += strlen(key);
		value = fb_strndup(view->arena, value, strcspn(value, "\n"));
		old.has_mac = fb_mac_parse(value, old.mac);
	}
	return old;
}

/* NULL: absent. A chip that does not answer is the same as none: the next source is asked. */
static const unsigned char *bytes_of(struct fb_view *view, const char *path, size_t *ret_len)
{
	struct fb_error ignored;
	char *data;
	if (!*path ||
	    fb_fs_read(view->fs, view->arena, path, FB_FS_READ_MAX, &data, ret_len, &ignored) < 0)
		return NULL;
	return (const unsigned char *)data;
}

static bool from_board(struct fb_view *view, enum fb_port_role role, struct fb_port_mac *ret_mac)
{
	const struct fb_board *board = view->board;
	struct fb_port_mac mac = { .has_mac = true };
	size_t len;
	const unsigned char *data = bytes_of(view, board->eeprom, &len);
	mac.source = FB_MAC_EEPROM;
	if (!data || !fb_mac_from_eeprom(data, len, board->eeprom_offset, role, mac.mac)) {
		data = bytes_of(view, board->cpuid, &len);
		mac.source = FB_MAC_CPUID;
		if (!data || !fb_mac_from_cpuid(data, len, board->cpuid_offset, board->cpuid_len,
						role, mac.mac))
			return false;
	}
	*ret_mac = mac;
	return true;
}

static struct fb_port_mac draw(struct fb_view *view, enum fb_port_role role,
			       enum fb_mac_source source)
{
	struct fb_port_mac mac = { .source = FB_MAC_LATER };
	if (!view->facts->has_seed)
		return mac;
	mac.source = source;
	mac.has_mac = true;
	memcpy(mac.mac, view->facts->seed + SEED_AT + SEED_STEP * role, FB_MAC_LEN);
	fb_mac_make_local(mac.mac);
	return mac;
}

/* old: what is recorded, its has_mac is false if that may not stay. */
static struct fb_port_mac random_mac(struct fb_view *view, enum fb_port_role role,
				     struct fb_port_mac old)
{
	if (!old.has_mac || !fb_mac_is_local(old.mac))
		return draw(view, role, FB_MAC_RANDOM);
	old.source = FB_MAC_RANDOM;
	return old;
}

/* A card that moves to another board takes its address along: none ever changes by itself. */
static struct fb_port_mac board_mac(struct fb_view *view, enum fb_port_role role,
				    struct fb_port_mac old)
{
	struct fb_port_mac mac;
	if (old.has_mac && (old.source == FB_MAC_EEPROM || old.source == FB_MAC_CPUID))
		return old;
	if (view->facts->is_live && from_board(view, role, &mac))
		return mac;
	if (old.has_mac && old.source == FB_MAC_FALLBACK)
		return old;
	return draw(view, role, FB_MAC_FALLBACK);
}

/* taken: the address of the other port, or NULL. */
static struct fb_port_mac decide(struct fb_view *view, const char *choice, enum fb_port_role role,
				 const unsigned char *taken)
{
	struct fb_port_mac mac = { .source = FB_MAC_GIVEN };
	if (!strcmp(choice, "keep"))
		return (struct fb_port_mac){ .source = FB_MAC_KERNEL };
	mac.has_mac = fb_mac_parse(choice, mac.mac);
	if (mac.has_mac)
		return mac;
	struct fb_port_mac old = fb_ports_recorded(view, role);
	old.has_mac = old.has_mac && fb_mac_is_unicast(old.mac) &&
		      !(taken && fb_mac_is_equal(old.mac, taken));
	mac = !strcmp(choice, "board") ? board_mac(view, role, old) : random_mac(view, role, old);
	if (mac.has_mac && taken && fb_mac_is_equal(mac.mac, taken)) {
		fb_mac_make_local(mac.mac);
		mac.mac[FB_MAC_LEN - 1] ^= 0x01;
	}
	return mac;
}

/* A given address belongs to its port whatever the other one has, so WAN looks at LAN's first. */
void fb_ports_decide(struct fb_view *view, const struct fb_config *config,
		     struct fb_port_mac ret_mac[FB_N_PORTS])
{
	const struct fb_port *wan = &config->port[FB_WAN], *lan = &config->port[FB_LAN];
	unsigned char given[FB_MAC_LEN];
	bool is_given = fb_mac_parse(lan->mac, given);
	ret_mac[FB_WAN] = decide(view, wan->mac, FB_WAN, is_given ? given : NULL);
	ret_mac[FB_LAN] = decide(view, lan->mac, FB_LAN,
				 ret_mac[FB_WAN].has_mac ? ret_mac[FB_WAN].mac : NULL);
}
