"""`python -m novum.cli` is the command `novum`."""

from novum.cli.app import main

main()
