/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judge user names, group names, shells and crypt(5) hashes. */
#include "login.h"

#include <string.h>

#include "text.h"

enum { NAME_MAX_LEN = 31 };		/* utmp(5) has room for 32 with the end mark (UT_NAMESIZE) */

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char hash_chars[] = "./" DIGITS UPPER LOWER;
static const char make_one[] = "make a hash with: mkpasswd -m yescrypt (or: openssl passwd -6)";

/*
 * Accounts and groups of Debian and of the packages a router image holds; a person's name among them would take over
 * the group or be refused on the box. Names that begin with _ or systemd- are Debian's too.
 */
static const char *const system_names[] = {
	"adm", "audio", "avahi", "backup", "bin", "cdrom", "chrony", "crontab", "daemon", "dialout", "dip", "disk",
	"dnsmasq", "docker", "fax", "floppy", "games", "gnats", "input", "irc", "kmem", "kvm", "list", "lp", "mail",
	"man", "messagebus", "netdev", "news", "nobody", "nogroup", "ntp", "ntpsec", "operator", "plugdev", "polkitd",
	"proxy", "render", "sasl", "sgx", "shadow", "src", "ssh", "sshd", "staff", "statd", "strongswan", "sudo", "sync",
	"sys", "syslog", "tape", "tcpdump", "tty", "unbound", "users", "utmp", "uucp", "uuidd", "video", "voice", "wheel",
	"www-data",
};

const char *fb_login_check_user(struct fb_arena *arena, const char *value)
{
	(void)arena;
	if (!strcmp(value, "root"))
		return "is not a user to add; root has login.root-keys and login.root-password-hash";
	for (size_t i = 0; i < FB_ARRAY_LEN(system_names); i++)
		if (!strcmp(value, system_names[i]))
			return "is a name of the system's own; take another one";
	if (*value == '_' || fb_text_starts(value, "systemd-"))
		return "is a name of the system's own; take another one";
	if (!fb_text_is_made_of(value, LOWER DIGITS "_-") || !strchr(LOWER, *value) || strlen(value) > NAME_MAX_LEN)
		return "is not a user name: a letter a-z, then a-z, 0-9, _ and -, at most 31 characters";
	return NULL;
}

const char *fb_login_check_group(struct fb_arena *arena, const char *value)
{
	(void)arena;
	if (!fb_text_is_made_of(value, LOWER DIGITS "_-") || !strchr(LOWER "_", *value) || strlen(value) > NAME_MAX_LEN)
		return "is not a group name: a letter a-z or _, then a-z, 0-9, _ and -, at most 31 characters";
	return NULL;
}

const char *fb_login_check_shell(struct fb_arena *arena, const char *value)
{
	(void)arena;
	if (!fb_text_is_made_of(value, LOWER UPPER DIGITS "/._-") || *value != '/' || fb_text_ends(value, "/") ||
	    strstr(value, "..") || strstr(value, "//"))
		return "is not the full path of a shell, such as /bin/bash; letters, digits, / . _ and - are allowed";
	return NULL;
}

static bool is_salt(const char *text, size_t len, size_t min, size_t max)
{
	return len >= min && len <= max && strspn(text, hash_chars) >= len;
}

/* "j9T$SALT": flags and cost as crypt_gensalt(3) makes them. Others crypt(3) might refuse, at the login. */
static bool is_yescrypt(const char *text, size_t len)
{
	return len > 4 && text[0] == 'j' && strchr("789ABCDEF", text[1]) && strchr("5T", text[2]) && text[3] == '$' &&
	       is_salt(text + 4, len - 4, 1, 86);
}

/* "CU..../....SALT": cost, and r = 32, p = 1, which crypt_gensalt(3) always takes. */
static bool is_scrypt(const char *text, size_t len)
{
	return len > 11 && strchr("BCDEFG", text[0]) && fb_text_starts(text + 1, "U..../....") &&
	       is_salt(text + 11, len - 11, 1, 86);
}

/* "12": the cost, 04 to 31. The salt of 22 characters has no $ behind it and counts as part of the hash. */
static bool is_bcrypt(const char *text, size_t len)
{
	return len == 2 && strchr("0123", text[0]) && strchr(DIGITS, text[1]) && strncmp(text, "04", 2) >= 0 &&
	       strncmp(text, "31", 2) <= 0;
}

/* "SALT" or "rounds=5000$SALT"; crypt(3) itself writes 1000 to 999999999 rounds and never a leading zero. */
static bool is_sha(const char *text, size_t len)
{
	if (fb_text_starts(text, "rounds=")) {
		const char *rounds = text + strlen("rounds=");
		size_t n = strspn(rounds, DIGITS), used = strlen("rounds=") + n + 1;
		if (*rounds == '0' || n < 4 || n > 9 || rounds[n] != '$' || used >= len)
			return false;
		text += used;
		len -= used;
	}
	return is_salt(text, len, 1, 16);
}

/* crypt(5): $PREFIX$MIDDLE$HASH, the hash having a fixed length. */
static const struct scheme {
	const char *prefix;
	size_t hash_len;
	bool (*is_middle)(const char *text, size_t len);
} schemes[] = {
	{ "$y$", 43, is_yescrypt },
	{ "$gy$", 43, is_yescrypt },
	{ "$7$", 43, is_scrypt },
	{ "$2b$", 53, is_bcrypt },
	{ "$2y$", 53, is_bcrypt },
	{ "$2a$", 53, is_bcrypt },
	{ "$6$", 86, is_sha },
	{ "$5$", 43, is_sha },
};

const char *fb_login_check_hash(struct fb_arena *arena, const char *value)
{
	if (!*value)
		return "is empty; leave the key out to lock the password";
	if (*value == '!' || *value == '*')
		return "is a locked password, not a hash; leave the key out to lock it";
	if (*value != '$')
		return fb_format(arena, "is a plain password or an old DES hash; %s", make_one);
	if (fb_text_starts(value, "$1$"))
		return fb_format(arena, "is an MD5 hash, which is too weak; %s", make_one);
	const struct scheme *scheme = NULL;
	for (size_t i = 0; i < FB_ARRAY_LEN(schemes); i++)
		if (fb_text_starts(value, schemes[i].prefix))
			scheme = &schemes[i];
	if (!scheme)
		return fb_format(arena, "begins like no hash that is taken ($y$ $gy$ $7$ $2b$ $6$ $5$); %s", make_one);

	const char *middle = value + strlen(scheme->prefix), *last = strrchr(middle, '$');
	const char *hash = last ? last + 1 : "";
	if (!fb_text_is_made_of(hash, hash_chars) || strlen(hash) != scheme->hash_len)
		return fb_format(arena, "is cut or damaged: a %s hash ends with a $ and %zu letters, digits, . or /; copy all of it",
				 scheme->prefix, scheme->hash_len);
	if (!scheme->is_middle(middle, (size_t)(last - middle)))
		return fb_format(arena, "is damaged between %s and the last $; copy all of the hash", scheme->prefix);
	return NULL;
}
