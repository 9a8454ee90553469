/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit test program: TEST(name) { CHECK(…); … } as often as wanted, then TEST_MAIN() once. Prints one TAP-like line a
 * test; arguments are names of tests to run instead of all. Include it once a program.
 */
#ifndef FB_TEST_H
#define FB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test *next;
};

static struct test *test_first, **test_last = &test_first;
static jmp_buf test_end;
static char test_reason[4096];

/* Ends the running test. Helpers of a test may call it through the CHECK macros as well. */
__attribute__((format(printf, 3, 4), noreturn, unused))
static void test_fail(const char *file, int line, const char *fmt, ...)
{
	const char *slash = strrchr(file, '/');
	int len = snprintf(test_reason, sizeof(test_reason), "%s:%d: ", slash ? slash + 1 : file, line);
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(test_reason + len, sizeof(test_reason) - (size_t)len, fmt, args);	/* a cut reason is still one */
	va_end(args);
	for (char *c = test_reason; *c; c++)	/* one line a test, whatever the values hold */
		if (*c == '\n')
			*c = '|';
	longjmp(test_end, 1);
}

#define TEST(fn)								\
	static void test_##fn(void);						\
	__attribute__((constructor)) static void test_add_##fn(void)		\
	{									\
		static struct test test = { #fn, test_##fn, NULL };		\
		*test_last = &test;						\
		test_last = &test.next;						\
	}									\
	static void test_##fn(void)

#define CHECK(cond)								\
	do {									\
		if (!(cond))							\
			test_fail(__FILE__, __LINE__, "%s", #cond);		\
	} while (0)

/* Equal texts; NULL equals only NULL. */
#define CHECK_STR(got, want)							\
	do {									\
		const char *got_ = (got), *want_ = (want);			\
		if (got_ != want_ && (!got_ || !want_ || strcmp(got_, want_)))	\
			test_fail(__FILE__, __LINE__, "%s is \"%s\", wanted \"%s\"", #got, \
				  got_ ? got_ : "(null)", want_ ? want_ : "(null)");	\
	} while (0)

/* Equal integers of any width. */
#define CHECK_INT(got, want)							\
	do {									\
		long long got_ = (long long)(got), want_ = (long long)(want);	\
		if (got_ != want_)						\
			test_fail(__FILE__, __LINE__, "%s is %lld, wanted %lld", #got, got_, want_);	\
	} while (0)

/* In a table-driven test: name is the row, shown in front of the reason. */
#define CHECK_ROW(row, cond)							\
	do {									\
		if (!(cond))							\
			test_fail(__FILE__, __LINE__, "[%s] %s", (row), #cond);	\
	} while (0)

#define TEST_MAIN()								\
	int main(int argc, char **argv)						\
	{									\
		return test_main(argc, argv);					\
	}

__attribute__((unused))
static int test_main(int argc, char **argv)
{
	volatile int failed = 0;
	for (struct test *volatile test = test_first; test; test = test->next) {
		int is_wanted = argc < 2;
		for (int i = 1; i < argc; i++)
			is_wanted |= !strcmp(argv[i], test->name);
		if (!is_wanted)
			continue;
		if (setjmp(test_end) == 0) {
			test->run();
			(void)printf("ok %s\n", test->name);
		} else {
			(void)printf("not ok %s - %s\n", test->name, test_reason);
			failed = 1;
		}
		(void)fflush(stdout);	/* a crash in the next test must not swallow this line */
	}
	return failed;
}

#endif
