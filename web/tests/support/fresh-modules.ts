import { vi } from 'vitest'

// Files share a process, not modules of ours: each loads them again.
vi.resetModules()
