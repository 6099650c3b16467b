.PHONY: verify fmt

# Everything CI checks: format, compiler and static checks, tests.
verify:
	mvn -B verify

# Formats all Java sources.
fmt:
	mvn -B -q spotless:apply
