import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ModelNotAvailableError } from '../failures/model.errors.ts'
import type { LocalModel } from './local-model.worker.ts'

export const LIBRARY = '@huggingface/transformers'
/**
 * Leaves package.json and the lock file as they are. Without its install scripts: they download libraries for graphics
 * cards from outside the registry.
 */
const INSTALL = `npm install -w server --no-save --ignore-scripts ${LIBRARY}@4.3.1`

/** Variants of a model's weights, best first, by the name of their file. */
const WEIGHTS = [
  ['model.onnx', 'fp32'],
  ['model_fp16.onnx', 'fp16'],
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model_q4.onnx', 'q4'],
] as const

const FOLDER_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/

/** Kind of model, in the words of messages. */
type LocalKind = 'embedding model' | 'reranker'

/** Folders of models on disk that a workspace may choose, by name. */
export function localFolders(modelsFolder: string): string[] {
  if (!existsSync(modelsFolder)) return []
  const isModel = (name: string) => FOLDER_NAME.test(name) && existsSync(join(modelsFolder, name, 'config.json'))
  return readdirSync(modelsFolder).filter(isModel).sort()
}

/** @throws ModelNotAvailableError for what is no name of a folder there, so that no path leads out of it */
export function localFolderOf(modelsFolder: string, name: string): string {
  if (FOLDER_NAME.test(name)) return join(modelsFolder, name)
  throw new ModelNotAvailableError(`A model on disk is named by its folder in ${modelsFolder}`)
}

/**
 * The model of a folder, in the layout of transformers.js.
 * @param path absolute, or relative to where the server was started
 * @throws ModelNotAvailableError when the folder holds no model or the library is not installed
 */
export function findLocalModel(path: string, kind: LocalKind, library: string): LocalModel {
  const folder = resolve(path)
  const weightsFolder = existsSync(resolve(folder, 'onnx')) ? 'onnx' : ''
  const files = existsSync(folder) ? readdirSync(resolve(folder, weightsFolder)) : []
  const [, dtype] = WEIGHTS.find(([file]) => files.includes(file)) ?? []
  if (!dtype || !existsSync(resolve(folder, 'config.json')) || !existsSync(resolve(folder, 'tokenizer.json'))) {
    throw new ModelNotAvailableError(
      `The folder ${folder} holds no ${kind}: config.json, tokenizer.json and onnx/model.onnx are expected`,
    )
  }
  return { folder, weightsFolder, dtype, library: locate(library, kind), scores: kind === 'reranker' }
}

function locate(library: string, kind: LocalKind): string {
  if (library.startsWith('file:')) return library
  try {
    const require = createRequire(import.meta.url)
    // An empty package of that name is where another dependency would bring the library along unasked.
    const { exports } = require(`${library}/package.json`) as { exports?: unknown }
    if (exports) return library
  } catch {
    // It is not installed, or keeps its package.json to itself and then is the real one.
    if (isInstalled(library)) return library
  }
  const kinds = `${kind[0]?.toUpperCase()}${kind.slice(1)}s`
  throw new ModelNotAvailableError(
    `${kinds} on disk need a library that is not installed. Run in the folder of Docent: ${INSTALL}`,
  )
}

function isInstalled(library: string): boolean {
  try {
    createRequire(import.meta.url).resolve(library)
    return true
  } catch {
    return false
  }
}
