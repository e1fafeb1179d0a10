import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { logo } from '../../../service/api/logo.ts'

const folder = 'service/chains'
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const chains = files.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')))
const ids = chains.map(({ factories }): string[] => [
  ...new Set<string>(factories.map(({ source }: { source: string }) => source)),
])

it('draws a logo of its own for each source of a chain', () => {
  expect(ids.length).toBeGreaterThan(5)
  for (const sources of ids) {
    expect(new Set(sources.map((id) => logo(id, 'color'))).size).toBe(sources.length)
  }
})

it('gives versions of one exchange colours that differ at a glance', () => {
  const hues = ['UNISWAP_V2', 'UNISWAP_V3', 'UNISWAP_V4'].map((id) =>
    Number(/hsl\((\d+)/.exec(decodeURIComponent(logo(id, 'color')))?.[1]),
  )
  const apart = (one: number, other: number) => Math.min((one - other + 360) % 360, (other - one + 360) % 360)
  const [two, three, four] = hues as [number, number, number]
  for (const distance of [apart(two, three), apart(three, four), apart(two, four)]) {
    expect(distance).toBeGreaterThan(60)
  }
})
