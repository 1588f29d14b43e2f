# The front door: `make help` lists the goals. CMake does the work, in build/, and
# scripts/setup installs what a goal needs and the machine has not. What is rarer is a part of `make test`, which
# `scripts/test --list` prints, or a program of the folder scripts.

PREFIX = /usr/local
JOBS  := $(shell nproc 2>/dev/null || echo 2)
export CC CFLAGS LDFLAGS DESTDIR

QUICK = no
PARTS = test

goals  := help build run figures python web lammps lammps-build check test test-all debug regenerate test-memory bits lint bench docs \
          docs-check paper install clean release
setups := setup-build setup-run setup-scripts setup-test setup-large setup-bare setup-library setup-slow setup-memory setup-mutants setup-fuzz setup-lint setup-bench \
          setup-lammps setup-python setup-notebooks setup-docs setup-web setup-browser setup-firefox \
          setup-bits-x86_64 setup-bits-aarch64 setup-release setup-release-quick setup-release-test setup-conformance setup-conformance-quick
.PHONY: $(goals) $(setups) setup-bits
.NOTPARALLEL:
.DEFAULT_GOAL := build

# The architecture that is emulated here.
other := $(if $(filter x86_64,$(shell uname -m)),aarch64,x86_64)

# The part of `make test-memory` that is to run; empty: all of it.
quick_memory := $(if $(filter yes,$(QUICK)),quick)

# Names what a build depends on as a whole: the compiler, its flags, the place of the tree.
key := $(shell echo '$(CURDIR) $(CC) $(CFLAGS) $(LDFLAGS)' | cksum | tr ' ' -)

configure = cmake --log-level=NOTICE -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
compile   = MAKEFLAGS=--no-print-directory cmake --build $1 -j $(JOBS)

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 27
	@echo 'CC=clang chooses the compiler, PREFIX=... [DESTDIR=...] the place to install to.'

build: build/.build ## build the libraries and the tool build/polhode (default)
	@$(call compile,build) --target polhode_shared polhode_tool polhode_shell_files

run: build | setup-run ## print and draw the exact motion of a tumbling book
	build/polhode exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 --time 0:40:4001 \
	    --out build/book.csv --plot build/book.svg --plot build/book.png
	@echo 'The numbers are in build/book.csv, the picture in build/book.svg and build/book.png.'

figures: build | setup-run ## recompute the papers' figures, with short runs, into build/figures
	build/polhode reproduce --quick --out build/figures

python: | setup-python build ## build the Python wheel into build/wheel, and test it in a fresh environment
	@scripts/python build

web: build/wasm/.web build/.node ## build the web page build/polhode.html: the library in the browser
	@$(call compile,build/wasm) --target polhode_wasm
	@node bindings/web/build.mjs build/wasm/polhode.wasm build/polhode.html
	@echo 'The page is build/polhode.html: open it in a browser.'

test: | setup-scripts ## run the optimised tests and those of Python, and print a table of the results; PARTS="page slow": parts that `scripts/test --list` prints
	@scripts/test --jobs $(JOBS) $(PARTS)

test-all: | setup-scripts setup-large setup-slow setup-bits ## the same with the sanitizers, the web page in two browsers and the tests that take minutes, and with every optional package
	@scripts/test --jobs $(JOBS) test-all

check: build/.test ## run the quick tests, in a minute; FILE=src/motion/flows/mr.c: the tests that cover that file
	@scripts/check build --jobs $(JOBS) $(if $(FILE),--file '$(FILE)')

debug: build/debug/.test ## build the tool without optimisation, for a debugger, in build/debug
	@$(call compile,build/debug) --target polhode_shared polhode_tool
	@echo 'The tool is build/debug/polhode; cmake --build build/debug --target test_NAME builds a test.'

regenerate: build/.test | setup-slow ## write all recorded outputs, hashes and tables anew, and show what changed; ONLY=LIST: parts of them, ONLY=help lists these
	@scripts/lists
	@targets=$$(scripts/regenerate --targets --only '$(ONLY)') && $(call compile,build) --target $$targets
	@scripts/regenerate build --only '$(ONLY)'

test-memory: build/memory/.test $(if $(quick_memory),,build/.test) | setup-python ## find memory that is read before it is written, with MemorySanitizer and valgrind; QUICK=yes: a part, in minutes
	@scripts/memory build $(JOBS) $(quick_memory)

bits: | setup-build setup-bits setup-web ## check that WebAssembly and the other of x86-64 and aarch64 give the same bits, and run tests on the latter by emulation
	@tests/bits.sh emulated
	@tests/bits.sh wasm

lint: build/.key-$(key) | setup-lint ## check layout and code: clang-format, clang-tidy, cppcheck, shellcheck, order of evaluation; DEPTH=quick: without the analyzer
	@CC=clang $(configure) -S . -B build/lint -DPOLHODE_BENCH=ON >/dev/null
	@CC=clang $(configure) -S . -B build/lint/tests -DPOLHODE_TESTS=ON >/dev/null
	@scripts/lint build/lint $(DEPTH)

bench: build/.bench ## time Polhode and its peers, into build/bench.json and as a table
	@$(call compile,build) --target bench
	@build/bench/bench build/bench.json
	@bindings/lammps/compare build/bench.json

lammps-build: build/.lammps ## build build/lammps/polhode-lmp and the fixes for LAMMPS, and test nothing
	@$(call compile,build) --target polhode_lammps polhode_richardson polhode_lanes polhode_static
	@echo 'build/lammps/polhode-lmp runs LAMMPS with the fixes.'

lammps: build/.lammps ## build the fixes for LAMMPS, polhode-lmp and a catalogue over MPI, and test them; MUTANTS=no: without seeded faults
	@$(call compile,build) --target $(if $(filter no,$(MUTANTS)),lammps,lammps_mutants)
	@bindings/lammps/check build/lammps
	@$(if $(filter no,$(MUTANTS)),,bindings/lammps/check build/lammps --mutants)
	@bindings/lammps/check_catalogue build/lammps
	@bindings/lammps/check_install build

docs: | setup-docs build ## build the manual as a site, build/docs/index.html, with the page of `make web` if that was built
	@scripts/docs build --page build/polhode.html

docs-check: | setup-python docs ## check the manual: links, pages, functions, names, options, spelling, and the code of the tutorials
	@scripts/docs-check build

paper: build | setup-run ## build the software paper build/paper/paper.pdf with its figure, where pandoc and LaTeX are
	@scripts/paper build

# LAMMPS is there: its headers, and MPI's compiler.
has_lammps := $(and $(wildcard /usr/include/lammps/fix.h),$(shell command -v mpicc))

install: build $(if $(has_lammps),build/.lammps) ## install headers, libraries, the tool, manual pages, completions, pkg-config file, CMake package; where LAMMPS is, polhode-lmp
	@$(if $(has_lammps),$(call compile,build) --target polhode_lammps polhode_richardson)
	@cmake --install build --prefix '$(PREFIX)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

release: | setup-build setup-test setup-python setup-web setup-lammps setup-docs setup-bits setup-release ## build what is given to others into build/release: tarball, static tools, npm, manual, wheels, Debian, Windows, Rust
	@scripts/release

clean: ## delete build/
	rm -rf build

$(setups): setup-%:
	@scripts/setup build $*

setup-bits: setup-bits-$(other)

# build/ is configured once for each part that a goal needs. A build with another key is put aside into
# build/kept, and comes back with its key; the results of tests, `make run`, `make figures`, `make bench` and
# `make release` stay.
build/.key-$(key):
	@mkdir -p build/kept; \
	before=$$(ls -d build/.key-* 2>/dev/null | head -n 1); before=build/kept/$${before#build/.key-}; \
	[ "$$before" != build/kept/ ] || before=build/kept/other; \
	rm -rf "$$before"; mkdir -p "$$before"; \
	find build -mindepth 1 -maxdepth 1 ! -name kept ! -name 'results*' ! -name 'book.*' ! -name figures \
	    ! -name bench.json ! -name 'release*' -exec mv {} "$$before" \; ; \
	rmdir "$$before" 2>/dev/null || \
	    echo "The compiler, its flags or the folder are others: the build so far is in $$before, and comes back with them."; \
	if [ -d build/kept/$(key) ]; then \
	    find build/kept/$(key) -mindepth 1 -maxdepth 1 -exec mv {} build \; && rmdir build/kept/$(key); \
	fi; \
	rmdir build/kept 2>/dev/null; [ -e $@ ] || touch $@

build/.build: build/.key-$(key) | setup-build
	@$(configure) -S . -B build && touch $@

build/.test: build/.build | setup-test
	@$(configure) build -DPOLHODE_TESTS=ON && touch $@

build/.bench: build/.build | setup-bench
	@$(configure) build -DPOLHODE_BENCH=ON && touch $@

build/.lammps: build/.build | setup-lammps
	@$(configure) build -DPOLHODE_LAMMPS=ON && touch $@

setup-web build/wasm/.web: override CC = clang
build/wasm/.web: build/.key-$(key) | setup-web
	@$(configure) -Wno-dev -S . -B build/wasm -DCMAKE_TOOLCHAIN_FILE='$(CURDIR)/bindings/web/wasm.cmake' \
	    -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_C_FLAGS_MINSIZEREL=-Oz \
	    -DPOLHODE_TOOL=OFF -DPOLHODE_THREADS=OFF -DPOLHODE_WEB=ON && touch $@

build/.node: bindings/web/package-lock.json build/.key-$(key) | setup-web
	@cd bindings/web && npm ci --ignore-scripts --loglevel=error && touch '$(CURDIR)/$@'

setup-fuzz build/fuzz/.fuzz: override CC = clang
build/fuzz/.fuzz: build/.key-$(key) | setup-fuzz
	@$(configure) -S . -B build/fuzz -DPOLHODE_FUZZ=ON -DPOLHODE_THREADS=OFF && touch $@

build/library/.test: build/.key-$(key) | setup-library
	@$(configure) -S . -B build/library -DPOLHODE_TOOL=OFF -DPOLHODE_TESTS=ON && touch $@

build/debug/.test: build/.key-$(key) | setup-test
	@$(configure) -S . -B build/debug -DPOLHODE_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
	    -DCMAKE_C_FLAGS_DEBUG='-O0 -g' && touch $@

setup-memory build/memory/.test: override CC = clang
build/memory/.test: build/.key-$(key) | setup-test setup-memory
	@$(configure) -S . -B build/memory -DPOLHODE_TESTS=ON -DPOLHODE_SANITIZE=memory && touch $@

build/sanitize/.test: build/.key-$(key) | setup-test
	@$(configure) -S . -B build/sanitize -DPOLHODE_TESTS=ON -DPOLHODE_SANITIZE=ON && touch $@
