"""What all commands share: options, progress, output, errors."""
