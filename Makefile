# r4s-router. The two commands a newcomer needs are "make try" and "make check"; README.md explains the rest.
BUILD := $(CURDIR)/build
export BUILD

.PHONY: all
all:			## build r4s-firstboot for this machine
	@$(MAKE) --no-print-directory -C firstboot BUILD=$(BUILD)

.PHONY: try check bench proof deb stage golden man clean help
try:			## build an image for the virtual board, boot it, show the acceptance report
	@ci/try

check:			## run all tests; ends with "N passed, N failed"
	@ci/check

bench:			## measure what provisioning costs
	@ci/bench

proof:			## the long campaigns: fuzzing, every cut in every fixture, many boots
	@ci/proof

deb:			## build the Debian package for amd64 and arm64
	@ci/deb

BOARD ?= board-nanopi-r4s
stage: deb all		## compose what is laid on a system for BOARD=board-nanopi-r4s or ci/board-virt
	@ci/stage $(BOARD) $(BUILD)/stage/$(notdir $(BOARD))

golden: all		## write the golden plan and tree of CASE=name anew, to be read before it is committed
	@firstboot/tests/roots/golden $(CASE)

man: all		## write the keys into the man page anew
	@ci/man-keys $(BUILD)/r4s-firstboot <firstboot/man/provision.conf.5 >$(BUILD)/provision.conf.5
	@mv $(BUILD)/provision.conf.5 firstboot/man/provision.conf.5

clean:			## remove build/
	@rm -rf $(BUILD)

help:			## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile
