import type { ModelProviderSettings } from '@docent/sdk'
import { t } from '@lingui/core/macro'

export type ProviderKind = ModelProviderSettings['kind']

interface KindInWords {
  name: string
  /** Address that is usual; kinds without one of the vendor need it to be typed. */
  address: string
  needsAddress: boolean
  needsKey: boolean
  /** Sentence on the source of a key. */
  keyHint: string
}

export const PROVIDER_KINDS: Record<ProviderKind, KindInWords> = {
  openai: {
    name: 'OpenAI',
    address: 'https://api.openai.com/v1',
    needsAddress: false,
    needsKey: true,
    keyHint: t`From platform.openai.com, under API keys.`,
  },
  anthropic: {
    name: 'Anthropic',
    address: 'https://api.anthropic.com/v1',
    needsAddress: false,
    needsKey: true,
    keyHint: t`From console.anthropic.com, under API keys.`,
  },
  google: {
    name: 'Google',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    needsAddress: false,
    needsKey: true,
    keyHint: t`From aistudio.google.com, under API keys.`,
  },
  ollama: {
    name: 'Ollama',
    address: 'http://ollama.example.com:11434',
    needsAddress: true,
    needsKey: false,
    keyHint: t`Only if a proxy before it asks for one.`,
  },
  'openai-compatible': {
    name: t`OpenAI-compatible server`,
    address: 'https://models.example.com/v1',
    needsAddress: true,
    needsKey: false,
    keyHint: t`If the server asks for one.`,
  },
}
