/* SPDX-License-Identifier: GPL-2.0-or-later */
/* provision.conf with a table of the test's own: values, places, and every message of the scanner and the parser. */
#include <stdlib.h>

#include "conf.h"
#include "test.h"

struct peer {
	struct fb_titled head;
	struct fb_strs ips;
	const char *key;
	bool is_on;
};

struct config {
	const char *name;
	bool is_on;
	long n;
	struct fb_strs list;
	const char *inner, *deep;
	struct fb_strs items;
	struct fb_array peers;
};

static const char *valid_word(struct fb_arena *arena, const char *value)
{
	(void)arena;
	return strchr(value, '!') ? "is not a word; leave the ! out" : NULL;
}

#define AT(field) offsetof(struct config, field)
static const struct fb_key first[] = {
	{ .path = "name", .type = FB_STR, .offset = AT(name), .preset = "default", .valid = valid_word },
	{ .path = "on", .type = FB_BOOL, .offset = AT(is_on), .preset = "true" },
	{ .path = "number", .type = FB_INT, .offset = AT(n), .preset = "7", .min = 1, .max = 9, .range = "1 to 9" },
	{ .path = "list", .type = FB_LIST, .offset = AT(list), .preset = "{ \"one\", \"two\" }", .valid = valid_word },
	{ .path = "sec.inner", .type = FB_STR, .offset = AT(inner) },
	{ .path = "sec.sub.deep", .type = FB_STR, .offset = AT(deep), .valid = valid_word, .is_secret = true },
};
static const struct fb_key second[] = {		/* another step's rows of the same section */
	{ .path = "sec.items", .type = FB_LIST, .offset = AT(items), .valid = valid_word },
	{ .path = "sec.peer", .type = FB_SECTIONS, .offset = AT(peers), .size = sizeof(struct peer), .valid = valid_word },
	{ .path = "sec.peer.ips", .type = FB_LIST, .offset = offsetof(struct peer, ips), .valid = valid_word },
	{ .path = "sec.peer.key", .type = FB_STR, .offset = offsetof(struct peer, key), .preset = "none" },
	{ .path = "sec.peer.is-on", .type = FB_BOOL, .offset = offsetof(struct peer, is_on) },
};
static const struct fb_keys table[] = { { first, FB_ARRAY_LEN(first) }, { second, FB_ARRAY_LEN(second) } };

static struct fb_arena *arena;
static struct config config;
static struct fb_conf conf;

__attribute__((destructor)) static void end(void)
{
	fb_arena_free(arena);
}

static void parse_len(const char *text, size_t len)
{
	fb_arena_free(arena);
	arena = fb_arena_new();
	config = (struct config){ 0 };
	/* Exactly as long as it says: the sanitizer sees a read beyond the end. */
	char *copy = fb_strndup(arena, text, len);
	fb_conf_parse(&conf, arena, "t.conf", copy, len, table, FB_ARRAY_LEN(table), &config);
}

static void parse(const char *text)
{
	parse_len(text, strlen(text));
}

/* All messages, each with a newline behind it. */
static const char *messages(void)
{
	struct fb_buf buf = { .arena = arena };
	for (size_t i = 0; i < conf.n_complaints; i++)
		fb_buf_add(&buf, "%s\n", fb_conf_message(&conf, &conf.complaint[i]));
	return fb_buf_text(&buf);
}

TEST(defaults_are_those_of_the_table)
{
	parse("sec { }\n");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "default");
	CHECK(config.is_on);
	CHECK_INT(config.n, 7);
	CHECK_INT(config.list.n, 2);
	CHECK_STR(config.list.item[1], "two");
	CHECK_STR(config.inner, "");
	CHECK_INT(config.items.n, 0);
	CHECK_INT(config.peers.n, 0);
	CHECK(!fb_conf_is_set(&conf, "name", NULL));
	CHECK(fb_conf_is_set(&conf, "sec", NULL));
}

TEST(all_types_and_two_steps_in_one_section)
{
	parse("name = hello\n"
	      "on = no\n"
	      "number = 3\n"
	      "list = {}\n"
	      "sec {\n"
	      "\tinner = \"a b\"\n"
	      "\titems = { \"x\", 'y', z, }\n"
	      "\tsub { deep = \"$y$j9T$abc\" }\n"
	      "\tpeer \"osaka\" { ips = { \"1\" } key = \"k1\" is-on = true }\n"
	      "\tpeer tokyo { }\n"
	      "}\n");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "hello");
	CHECK(!config.is_on);
	CHECK_INT(config.n, 3);
	CHECK_INT(config.list.n, 0);
	CHECK_STR(config.inner, "a b");
	CHECK_STR(config.deep, "$y$j9T$abc");
	CHECK_INT(config.items.n, 3);
	CHECK_STR(config.items.item[2], "z");
	const struct peer *peer = config.peers.item;
	CHECK_INT(config.peers.n, 2);
	CHECK_STR(peer[0].head.title, "osaka");
	CHECK_STR(peer[0].ips.item[0], "1");
	CHECK_STR(peer[0].key, "k1");
	CHECK(peer[0].is_on);
	CHECK_STR(peer[1].head.title, "tokyo");
	CHECK_STR(peer[1].key, "none");
	CHECK_INT(peer[1].ips.n, 0);
}

TEST(one_line_files_and_missing_last_newline)
{
	parse("name=x");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "x");
	parse("sec{sub{deep=d}}");
	CHECK_STR(messages(), "");
	CHECK_STR(config.deep, "d");
}

TEST(braces_comments_and_equals_in_quotes_are_text)
{
	parse("name = \"a { # // /* } = b\" # real comment\n"
	      "list = { '{', \"}\", \"#\", 'it \"is\"' }\n");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "a { # // /* } = b");
	CHECK_INT(config.list.n, 4);
	CHECK_STR(config.list.item[1], "}");
	CHECK_STR(config.list.item[3], "it \"is\"");
}

TEST(values_without_quotes)
{
	parse("name = http://host/a:b // c\nlist = { a/b, c//d, 1/2 } /* x */\n");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "http://host/a:b");
	CHECK_INT(config.list.n, 3);
	CHECK_STR(config.list.item[1], "c//d");
}

TEST(nothing_is_escaped)
{
	static const char *const rows[] = {
		"\nname = \"a\\\"b\"\n", "\nname = 'a\\'b'\n", "\nname = \"a\\nb\"\n", "\nname = a\\b\n", "\nname = \"\\x24{HOME}\"\n",
		"\nname = \"a\\\n", "\nname = \\", "\nsec { peer \"a\\b\" { } }\n",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		parse(rows[i]);
		CHECK_STR(messages(), "t.conf:2: \\ is not allowed: nothing is escaped in this file\n");
	}
	parse("# a \\ in a comment\nname = x // \\\n/* \\ */\n");
	CHECK_STR(messages(), "");
}

TEST(windows_line_ends_and_byte_order_mark)
{
	parse("\xef\xbb\xbfname = \"x\"\r\n# comment\r\nlist = {\r\n\t\"a\",\r\n\t\"b!\"\r\n}\r\n");
	CHECK_STR(config.name, "x");
	CHECK_INT(config.list.n, 2);
	CHECK_STR(messages(), "t.conf:5: list: \"b!\" is not a word; leave the ! out\n");
}

TEST(utf8_text_is_taken)
{
	parse("name = \"\xe6\x9d\xb1\xe4\xba\xac\"  # \xf0\x9f\x98\x80\n");
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "\xe6\x9d\xb1\xe4\xba\xac");
}

TEST(comments_of_all_kinds_anywhere_keep_the_line_numbers)
{
	parse("# one\n"
	      "// two\n"
	      "/* three\n"
	      "   four */ name = ok # tail\n"
	      "list = {   # in a list\n"
	      "\t\"a\",  // and here\n"
	      "\t/* and\n"
	      "\t   here */ \"b\",\n"
	      "\t# \"commented\",\n"
	      "\t\"c!\"\n"
	      "}\n"
	      "sec { # in a section\n"
	      "\t// x\n"
	      "\t/* y */ /* z */\n"
	      "\tpeer \"p\" {\n"
	      "\t\tips = {\n"
	      "\t\t\t\"1\",\n"
	      "\n"
	      "\t\t\t# no\n"
	      "\t\t\t\"2\", \"3!\",\n"
	      "\t\t\t\"4!\" }\n"
	      "\t}\n"
	      "}\n"
	      "/**/number = 0\n");
	CHECK_INT(config.list.n, 3);
	CHECK_STR(messages(), "t.conf:10: list: \"c!\" is not a word; leave the ! out\n"
			      "t.conf:20: sec.peer.ips: \"3!\" is not a word; leave the ! out\n"
			      "t.conf:21: sec.peer.ips: \"4!\" is not a word; leave the ! out\n"
			      "t.conf:24: number: 0 is out of range; allowed is 1 to 9\n");
}

TEST(line_of_each_item_title_and_key)
{
	parse("sec {\n"
	      "\tpeer \"a\" {\n"
	      "\t\tips = { \"1\",\n"
	      "\t\t\t\"2\" }\n"
	      "\t}\n"
	      "\tpeer \"b\" {\n"
	      "\t\tips = {\n"
	      "\t\t\t\"3\" }\n"
	      "\t}\n"
	      "}\n");
	CHECK_STR(messages(), "");
	CHECK_INT(fb_conf_line(&conf, "sec", NULL, 0), 1);
	CHECK_INT(fb_conf_line(&conf, "sec.peer", "a", 0), 2);
	CHECK_INT(fb_conf_line(&conf, "sec.peer.ips", "a", 0), 3);
	CHECK_INT(fb_conf_line(&conf, "sec.peer.ips", "a", 1), 4);
	CHECK_INT(fb_conf_line(&conf, "sec.peer.ips", "a", 9), 3);	/* no such item: the key */
	CHECK_INT(fb_conf_line(&conf, "sec.peer", "b", 0), 6);
	CHECK_INT(fb_conf_line(&conf, "sec.peer.ips", "b", 0), 8);
	CHECK_INT(fb_conf_line(&conf, "sec.peer.key", "b", 0), 0);
	CHECK(fb_conf_is_set(&conf, "sec.peer.ips", "a") && !fb_conf_is_set(&conf, "sec.peer.ips", NULL));
}

TEST(complaints_of_checks_find_their_line_and_are_sorted)
{
	parse("name = a\n\nlist = {\n\"x\",\n\"y\" }\n");
	fb_conf_complain(&conf, "list", NULL, 1, "second %s", "item");
	fb_conf_complain(&conf, "name", NULL, 0, "the name");
	fb_conf_complain(&conf, "sec", NULL, 0, "not in the file");
	CHECK_STR(messages(), "t.conf: sec: not in the file\nt.conf:1: name: the name\nt.conf:5: list: second item\n");
}

TEST(all_wrong_values_are_told_in_one_run)
{
	parse("number = 99\nname = \"a!\"\nlist = { \"b!\", \"c\", \"d!\" }\nsec { peer \"e!\" { ips = { \"f!\" } } }\n");
	CHECK_STR(messages(), "t.conf:1: number: 99 is out of range; allowed is 1 to 9\n"
			      "t.conf:2: name: \"a!\" is not a word; leave the ! out\n"
			      "t.conf:3: list: \"b!\" is not a word; leave the ! out\n"
			      "t.conf:3: list: \"d!\" is not a word; leave the ! out\n"
			      "t.conf:4: sec.peer: \"e!\" is not a word; leave the ! out\n"
			      "t.conf:4: sec.peer.ips: \"f!\" is not a word; leave the ! out\n");
}

TEST(a_secret_is_never_quoted)
{
	parse("sec { sub { deep = \"pass!word\" } }\n");
	CHECK_STR(messages(), "t.conf:1: sec.sub.deep: is not a word; leave the ! out\n");
}

TEST(each_bad_file_gets_its_message)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{ "unknown key, near", "nam = x\n", "t.conf:1: unknown key nam; did you mean name?\n" },
		{ "unknown key, elsewhere", "\ninner = x\n", "t.conf:2: unknown key inner; there is sec.inner\n" },
		{ "unknown key, far", "# c\nzebra = 1\n", "t.conf:2: unknown key zebra\n" },
		{ "unknown key in section", "sec {\n  /* c */\n  itemz = { }\n}\n",
		  "t.conf:3: unknown key itemz in section sec; did you mean items?\n" },
		{ "unknown key of outside in section", "sec { number = 1 }\n",
		  "t.conf:1: unknown key number in section sec; there is number\n" },
		{ "unknown section", "sek { a = 1 }\n", "t.conf:1: unknown key sek; did you mean sec?\n" },
		{ "unknown titled section", "sec { pear \"x\" { } }\n",
		  "t.conf:1: unknown key pear in section sec; did you mean peer?\n" },
		{ "unknown key in titled section", "sec { peer \"x\" {\nip = { } } }\n",
		  "t.conf:2: unknown key ip in section sec.peer; did you mean ips?\n" },
		{ "repeated scalar", "name = a\n# c\nname = b\n", "t.conf:3: name: given twice, first on line 1\n" },
		{ "repeated scalar, same value", "on = yes\non = yes\n", "t.conf:2: on: given twice, first on line 1\n" },
		{ "repeated list", "list = { }\nlist = { \"x\" }\n", "t.conf:2: list: given twice, first on line 1\n" },
		{ "list added to", "list = { \"x\" }\nlist += { \"y\" }\n", "t.conf:2: += is not allowed: give the whole list with =\n" },
		{ "list added to, no blank", "# c\nlist+={ \"y\" }\n", "t.conf:2: += is not allowed: give the whole list with =\n" },
		{ "what only quotes can hold", "name = a*b\n", "t.conf:1: a*b has to stand in quotes: it holds ( ) + or *\n" },
		{ "a call", "\ninclude(x)\n", "t.conf:2: include(x) has to stand in quotes: it holds ( ) + or *\n" },
		{ "repeated section", "sec { }\n\nsec { inner = x }\n", "t.conf:3: sec: given twice, first on line 1\n" },
		{ "repeated scalar in section", "sec {\ninner = a\ninner = b\n}\n",
		  "t.conf:3: sec.inner: given twice, first on line 2\n" },
		{ "repeated titled section", "sec {\npeer \"p\" { }\npeer \"q\" { }\npeer \"p\" { }\n}\n",
		  "t.conf:4: sec.peer \"p\": given twice, first on line 2\n" },
		{ "repeated key in titled section", "sec { peer \"p\" {\nkey = a\nkey = b } }\n",
		  "t.conf:3: sec.peer.key \"p\": given twice, first on line 2\n" },
		{ "same key in two titled sections is fine", "sec { peer a { key = 1 } peer b { key = 1 } }\n", "" },
		{ "text for a boolean", "\non = maybe\n", "t.conf:2: on: \"maybe\" is not true or false\n" },
		{ "text for a number", "number = many\n", "t.conf:1: number: \"many\" is not a number\n" },
		{ "digits and text for a number", "number = 3x\n", "t.conf:1: number: \"3x\" is not a number\n" },
		{ "list for a boolean", "on = { true }\n", "t.conf:1: on takes one value, not a list\n" },
		{ "list for a string", "# c\nname = { x }\n", "t.conf:2: name takes one value, not a list\n" },
		{ "value for a section", "sec = 3\n", "t.conf:1: sec is a section: write sec { ... }\n" },
		{ "value for a titled section", "sec {\npeer = x\n}\n", "t.conf:2: sec.peer is a section: write peer \"NAME\" { ... }\n" },
		{ "section for a value", "name { }\n", "t.conf:1: name is not a section: write name = ...\n" },
		{ "section without its name", "sec { peer { } }\n", "t.conf:1: sec.peer needs a name: write peer \"NAME\" { ... }\n" },
		{ "section with a name too much", "sec \"x\" { }\n", "t.conf:1: sec takes no name: write sec { ... }\n" },
		{ "one value for a list is fine", "list = x\n", "" },
		{ "variable in quotes", "# c\nname = \"${HOME}\"\n",
		  "t.conf:2: ${...} is not allowed: no variable is replaced in this file; write the value\n" },
		{ "variable in single quotes", "name = '${HOME}'\n",
		  "t.conf:1: ${...} is not allowed: no variable is replaced in this file; write the value\n" },
		{ "variable without quotes", "name = ${HOME}\n",
		  "t.conf:1: ${...} is not allowed: no variable is replaced in this file; write the value\n" },
		{ "variable with default", "name = \"${X:-d}\"\n",
		  "t.conf:1: ${...} is not allowed: no variable is replaced in this file; write the value\n" },
		{ "variable in a comment is fine", "# ${HOME}\nname = x\n", "" },
		{ "dollar alone is fine", "name = \"$HOME$\"\n", "" },
		{ "empty", "", "t.conf: the file is empty; r4s-firstboot example prints one to start from\n" },
		{ "blank", " \n\t\r\n", "t.conf: the file is empty; r4s-firstboot example prints one to start from\n" },
		{ "only comments", "# name = x\n/* y */\n",
		  "t.conf: the file is empty; r4s-firstboot example prints one to start from\n" },
		{ "UTF-16, little end", "\xff\xfen", "t.conf: saved as UTF-16 (\"Unicode\"); save it as UTF-8\n" },
		{ "UTF-16, big end", "\xfe\xffn", "t.conf: saved as UTF-16 (\"Unicode\"); save it as UTF-8\n" },
		{ "binary", "name = x\n\x89PNG", "t.conf:2: byte 0x89 is not UTF-8 text; is this the right file?\n" },
		{ "cut UTF-8 at the end", "name = x # \xe6\x9d", "t.conf:1: byte 0xe6 is not UTF-8 text; is this the right file?\n" },
		{ "control character", "name = \"a\x07\"\n", "t.conf:1: control character 0x07; is this the right file?\n" },
		{ "form feed", "\fname = x\n", "t.conf:1: control character 0x0c; is this the right file?\n" },
		{ "delete", "name = \"\x7f\"\n", "t.conf:1: control character 0x7f; is this the right file?\n" },
		{ "open quote", "on = yes\nname = \"x\nnumber = 1\n",
		  "t.conf:2: text in quotes does not end on its line; close it with \"\n" },
		{ "open single quote", "name = 'x\n", "t.conf:1: text in quotes does not end on its line; close it with '\n" },
		{ "open quote at the end", "name = \"x", "t.conf:1: text in quotes does not end on its line; close it with \"\n" },
		{ "open section", "name = x\nsec {\n\tinner = y\n", "t.conf:2: section sec is not closed: a } is missing\n" },
		{ "open section in section", "sec {\n sub {\n\tdeep = y\n}\n",
		  "t.conf:1: section sec is not closed: a } is missing\n" },
		{ "open list", "name = x\nlist = {\n\"a\",\n", "t.conf:2: list list is not closed: a } is missing\n" },
		{ "open list in section", "sec { items = { a }\n", "t.conf:1: section sec is not closed: a } is missing\n" },
		{ "no value", "\nname = \n\n", "t.conf:2: name: the value after = is missing\n" },
		{ "open comment", "name = x\n/* and so on\n", "t.conf:2: comment that starts with /* has no end\n" },
		{ "open comment alone", "/* x", "t.conf:1: comment that starts with /* has no end\n" },
		{ "open comment, slash star slash", "name = x /*/", "t.conf:1: comment that starts with /* has no end\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		parse(rows[i].text);
		if (strcmp(messages(), rows[i].want))
			test_fail(__FILE__, __LINE__, "[%s] says \"%s\", wanted \"%s\"", rows[i].name, messages(), rows[i].want);
	}
}

TEST(nul_bytes_are_seen)
{
	parse_len("name = x\nlist = { \"a\0b\" }\n", 27);
	CHECK_STR(messages(), "t.conf:2: control character 0x00; is this the right file?\n");
	parse_len("\0", 1);
	CHECK_STR(messages(), "t.conf:1: control character 0x00; is this the right file?\n");
}

TEST(size_limit)
{
	size_t len = FB_CONF_MAX_BYTES;
	char *text = malloc(len + 2);
	CHECK(text);
	memset(text, ' ', len + 1);
	memcpy(text, "name = x\n", 9);
	parse_len(text, len);
	CHECK_STR(messages(), "");
	CHECK_STR(config.name, "x");
	parse_len(text, len + 1);
	free(text);
	CHECK_STR(messages(), "t.conf: 262145 bytes is too large; at most 262144 are read\n");
}

/* What libconfuse finds; its own words may differ from version to version, the line may not. */
TEST(syntax_errors_end_with_one_message_on_their_line)
{
	static const struct {
		const char *text;
		unsigned line;
	} rows[] = {
		{ "# c\nname x\n", 2 }, { "name =\nnumber = 3\n", 2 }, { "# a\n# b\nname = x y\n", 3 },
		{ "// c\n// c\n\nlist = { \"a\" \"b\" }\n", 4 }, { "on = yes\n/* c */\n= 3\n", 3 }, { "}\n", 1 },
		{ "on = yes\nname;\n", 2 },
		{ "list = { \"a\",\nname = x }\n", 2 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		parse(rows[i].text);
		if (conf.n_complaints != 1 || conf.complaint[0].line != rows[i].line)
			test_fail(__FILE__, __LINE__, "[%s] says \"%s\", wanted one message on line %u", rows[i].text, messages(),
				  rows[i].line);
	}
}

TEST(depth_and_many_words_do_not_overflow)
{
	struct fb_buf buf = { .arena = fb_arena_new() };
	for (int i = 0; i < 1000; i++)
		fb_buf_add(&buf, "sec { a b c d ");
	parse(fb_buf_text(&buf));
	CHECK(conf.n_complaints >= 1);
	fb_arena_free(buf.arena);
}

TEST_MAIN()
