"""Statistics of LiveIdeaBench alone."""
