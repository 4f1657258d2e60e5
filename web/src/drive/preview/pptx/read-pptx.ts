import { strFromU8, unzip } from 'fflate'
import { allowXml } from '../allow-xml.ts'
import { colourIn, type Parts } from './parts.ts'
import { findLayoutBox, readBox, readShapes, type Shape } from './read-shapes.ts'

export interface Slide {
  /** CSS colour. */
  background: string
  shapes: Shape[]
}

export interface Presentation {
  /** Size of a slide, in EMU; 12,700 are a point. */
  width: number
  height: number
  slides: Slide[]
}

const MOST_BYTES = 150_000_000
const USUAL = { width: 9_144_000, height: 6_858_000 }
const TYPES: Record<string, string> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp', bmp: 'bmp' }

/**
 * Reads the slides of a PowerPoint file: texts, tables and pictures where they are, and the values of
 * charts as tables. Lines and effects are left out.
 * @param signal ends the URLs of its pictures
 * @throws if it is no such file
 */
export async function readPptx(blob: Blob, signal: AbortSignal): Promise<Presentation> {
  allowXml()
  const files = await unpack(blob)
  const xml = (path: string) => (files[path] ? parse(strFromU8(files[path])) : undefined)
  const main = xml('ppt/presentation.xml')
  if (!main) throw new Error('It has no presentation')
  const size = main.getElementsByTagName('p:sldSz')[0]
  const links = relationsOf(xml, 'ppt/presentation.xml')
  const theme = readTheme(
    Object.keys(files).find((path) => /^ppt\/theme\/theme\d+\.xml$/.test(path)),
    xml,
  )
  const slides = [...main.getElementsByTagName('p:sldId')].flatMap((entry) => {
    const path = links.get(entry.getAttribute('r:id') ?? '')
    const slide = path && xml(path)
    return slide ? [readSlide(path, slide)] : []
  })
  return {
    width: Number(size?.getAttribute('cx')) || USUAL.width,
    height: Number(size?.getAttribute('cy')) || USUAL.height,
    slides,
  }

  function readSlide(path: string, slide: Document): Slide {
    const own = relationsOf(xml, path)
    const layoutPath = [...own.values()].find((target) => target.includes('/slideLayouts/'))
    const layout = layoutPath ? xml(layoutPath) : undefined
    const masterPath =
      layoutPath && [...relationsOf(xml, layoutPath).values()].find((one) => one.includes('/slideMasters/'))
    const master = masterPath ? xml(masterPath) : undefined
    const behind = [layout, master].filter((one) => one !== undefined)
    const parts: Parts = { theme, pictureUrl: (id) => pictureUrl(own.get(id)), xml: (id) => xml(own.get(id) ?? '') }
    return {
      background: [slide, ...behind].map((one) => backgroundOf(one, theme)).find(Boolean) ?? 'white',
      shapes: readShapes(slide, parts, (shape) => readBox(shape) ?? findLayoutBox(shape, behind)),
    }
  }

  function pictureUrl(path: string | undefined): string | undefined {
    const type = TYPES[path?.split('.').at(-1)?.toLowerCase() ?? '']
    const bytes = path && files[path]
    if (!type || !bytes) return undefined
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: `image/${type}` }))
    signal.addEventListener('abort', () => URL.revokeObjectURL(url))
    return url
  }
}

async function unpack(blob: Blob): Promise<Record<string, Uint8Array>> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let left = MOST_BYTES
  return new Promise((resolve, reject) =>
    unzip(
      bytes,
      {
        filter({ name, originalSize }) {
          if (!/^ppt\/.*\.(xml|rels|png|jpe?g|gif|webp|bmp)$/i.test(name) || originalSize > left) return false
          left -= originalSize
          return true
        },
      },
      (error, files) => (error ? reject(error) : resolve(files)),
    ),
  )
}

const parse = (text: string): Document => new DOMParser().parseFromString(text, 'application/xml')

/** Paths of other parts, by the ids by which a part names them. */
function relationsOf(xml: (path: string) => Document | undefined, path: string): Map<string, string> {
  const at = path.lastIndexOf('/')
  const list = xml(`${path.slice(0, at)}/_rels/${path.slice(at + 1)}.rels`)
  const entries = [...(list?.getElementsByTagName('Relationship') ?? [])].map((one): [string, string] => {
    const target = new URL(one.getAttribute('Target') ?? '', `file:///${path}`)
    return [one.getAttribute('Id') ?? '', decodeURIComponent(target.pathname.slice(1))]
  })
  return new Map(entries)
}

function readTheme(path: string | undefined, xml: (path: string) => Document | undefined): Record<string, string> {
  const scheme = path && xml(path)?.getElementsByTagName('a:clrScheme')[0]
  const colours: Record<string, string> = {}
  for (const { localName, firstElementChild: value } of scheme ? scheme.children : []) {
    const hex = value?.getAttribute('lastClr') ?? value?.getAttribute('val')
    if (hex && /^[0-9a-f]{6}$/i.test(hex)) colours[localName] = `#${hex}`
  }
  const { lt1 = '#ffffff', dk1 = '#000000', lt2, dk2 } = colours
  return { ...colours, bg1: lt1, tx1: dk1, ...(lt2 && { bg2: lt2 }), ...(dk2 && { tx2: dk2 }) }
}

function backgroundOf(part: Document, theme: Record<string, string>): string | undefined {
  const fill = part.getElementsByTagName('p:bg')[0]
  return fill && colourIn(fill, theme)
}
