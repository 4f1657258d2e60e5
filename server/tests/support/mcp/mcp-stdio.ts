import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { firstServer } from './mcp-tools.ts'

// A program as DOCENT_MCP_COMMANDS names them.
console.error('starting')
await firstServer().connect(new StdioServerTransport())
