import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { networkLogos } from '../scripts/networkLogos.ts'
import { publicChains } from '../src/domain/network/chains.ts'

const folder = join(import.meta.dirname, '../public/networks')
const files = readdirSync(folder).filter((name) => name.endsWith('.svg'))

describe('network logos', () => {
  it('exist for the public chains and no others', () => {
    const wanted = publicChains.map(({ chainId }) => `${chainId}.svg`).sort()
    expect(files.toSorted()).toEqual(wanted)
    expect(Object.keys(networkLogos).map((chainId) => `${chainId}.svg`)).toEqual(
      expect.arrayContaining(wanted),
    )
  })

  it.each(files)('%s is unchanged since it was taken from the package', (name) => {
    const svg = readFileSync(join(folder, name))
    const { sha256 } = networkLogos[Number.parseInt(name, 10)]!
    expect(createHash('sha256').update(svg).digest('hex')).toBe(sha256)
  })

  it.each(files)('%s draws with shapes only, refers to nothing outside itself, and is small', (name) => {
    const svg = readFileSync(join(folder, name), 'utf8')
    expect(svg.length).toBeLessThan(1_500)
    const elements = new Set([...svg.matchAll(/<([a-zA-Z]+)/g)].map(([, element]) => element))
    for (const element of elements) {
      expect(['svg', 'g', 'path', 'defs', 'clipPath', 'linearGradient', 'stop']).toContain(element)
    }
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|url\((?!#)|\son\w+=/)
  })
})
