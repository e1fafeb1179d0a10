import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Drawing } from './logoDrawings.ts'

const folder = resolve(import.meta.dirname, '../../node_modules/@web3icons/core/dist/svgs')

/** Returns a drawing of 24 × 24 that fills its square; the wallet cuts it to a disc. */
export async function drawLogo(drawing: Drawing): Promise<string> {
  switch (drawing.kind) {
    case 'token':
      return wrap(await readShapes('tokens/background', drawing.name))
    case 'network':
      return wrap(await readShapes('networks/background', drawing.name))
    case 'wrapped':
      return wrap(`${ground('#e3e6ec')}${await readShapes('tokens/branded', drawing.name)}`)
    case 'mono':
      return wrap(`${ground(drawing.ground)}${await readShapes('tokens/mono', drawing.name)}`)
  }
}

const ground = (colour: string) => `<path fill="${colour}" d="M0 0h24v24H0z"/>`

const wrap = (shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" fill="none" viewBox="0 0 24 24">${shapes}</svg>`

async function readShapes(kind: string, name: string): Promise<string> {
  // A module: `var NAME =\n  '<svg …>…</svg>\n'`.
  const module = await readFile(join(folder, kind, `${name}.svg.js`), 'utf8')
  const [, shapes] = /viewBox="0 0 24 24"[^>]*>(.*)<\/svg>/s.exec(module) ?? []
  if (shapes === undefined) throw new Error(`${kind}/${name} is not a drawing of 24 × 24.`)
  return shorten(shapes)
}

/** A group that only cuts to the square, which the picture's edge does as well. */
const squareClip =
  /<clipPath id="([\w-]+)"><path fill="#fff" d="(?:M0 0h24v24H0z|M24 0H0v24h24z)"\/><\/clipPath>/

/** Drops white space, clips to the square and long names, which count within one drawing only. */
function shorten(shapes: string): string {
  let text = shapes.replace(/\\n\s*/g, '').replaceAll(' style="mask-type:luminance"', '')
  const [clip, id] = squareClip.exec(text) ?? []
  if (clip !== undefined && id !== undefined && text.split(`url(#${id})`).length === 2) {
    text = text.replace(clip, '').replace(` clip-path="url(#${id})"`, '').replace('<defs></defs>', '')
  }
  for (const [index, [, name]] of [...text.matchAll(/ id="([\w-]+)"/g)].entries()) {
    text = text.replaceAll(`"${name}"`, `"${index}"`).replaceAll(`#${name})`, `#${index})`)
  }
  return text.replace(/<g>((?:(?!<g\b).)*?)<\/g>/s, '$1')
}
