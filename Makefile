# The few commands of this repository. `make help` lists them.
# Needed: make, git, npm and a Node of 20 or later (and libatomic on a minimal Linux); the Node that runs everything comes from the package `node`.

INSTALLED := node_modules/.mainstay-installed
DASHBOARD := dist/dashboard/index.html

.DEFAULT_GOAL := help
.PHONY: help install demo test check lab lab-down bench generate clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  LAB=required make test   fails where a suite cannot reach its part of the lab"
	@echo "  SLOW=yes make test       also runs suites that take a minute each, and searches whole, as CI does"
	@echo "  ARGS=... make test       passes words on to vitest: a path, or -t and part of a name"

install: $(INSTALLED) ## Install packages; every other target does it by itself

demo: $(INSTALLED) $(DASHBOARD) ## See it work: a cluster in three zones on a fake cloud, on this machine alone
	@./mainstay demo $(ARGS)

test: $(INSTALLED) ## Run the tests; suites that need the lab run when it is up
	@npm run --silent test -- $(ARGS)

check: $(INSTALLED) ## Check format, types, lint and dead code
	@npm run --silent check

lab: ## Get and start the real parts for tests, on loopback: Kubernetes, Cluster API, OpenStack, DNS, a browser
	@lab/up.sh

lab-down: ## Stop exactly what `make lab` started
	@lab/down.sh

bench: $(INSTALLED) ## Measure against peers, on the lab
	@npm run --silent bench -- $(ARGS)

generate: $(INSTALLED) ## Write the generated files: reference pages and CRD manifests
	@npm run --silent generate

clean: ## Remove what was installed and built here; the lab's cache stays
	rm -rf node_modules dist coverage bench/results ./*.tgz

# Built again when something it is made of is newer; takes a second or two.
$(DASHBOARD): $(INSTALLED) vite.config.ts src/server/contract.ts $(shell find src/dashboard src/core src/apis src/jobs -type f ! -name '*.test.ts')
	@npm run --silent build:dashboard

# The stamp is newer than the lock file once an installation has gone through to its end. The machine's own Node only installs,
# and what runs is the package `node`: npm's warnings that the former is too old for some packages (EBADENGINE) would mislead.
$(INSTALLED): package-lock.json
	@echo "Installing packages, once for each change of package-lock.json (a minute or two)"
	@npm ci --no-audit --no-fund --loglevel=error
	@scripts/check-node.sh
	@touch $@
