"""Commands about the installation: doctor, config, models, methods, prompts."""
