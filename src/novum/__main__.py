"""`python -m novum`: the same as `novum`."""

from novum.cli.app import main

if __name__ == "__main__":
    main()
