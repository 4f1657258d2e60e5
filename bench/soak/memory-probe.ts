// Loaded into a server ahead of its own code (node --import): tells its parent, when asked, what Node knows of memory.
process.on('message', () => process.send?.(process.memoryUsage()))
process.channel?.unref()
