import { h } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Address } from '../../../src/domain/token/token.ts'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

const usdc: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path fill="#00f" d="M0 0h24"/></svg>'
const file = { drawings: [drawing], tokens: { 8453: { [usdc]: 0 } } }

let read: ReturnType<typeof vi.fn>

beforeEach(() => {
  standInDocument()
  // The file is kept for the life of a page.
  vi.resetModules()
  read = vi.fn(async (_path: string) => new Response(JSON.stringify(file)))
  vi.stubGlobal('fetch', read)
})
afterEach(clearDocument)

async function show(...wanted: [chainId: number | undefined, token: Address][]): Promise<string[]> {
  const { useTokenLogo } = await import('../../../src/ui/tokens/tokenLogos.ts')
  const Shown = ({ chainId, token }: { chainId: number | undefined; token: Address }) => {
    const logo = useTokenLogo(chainId, token)
    return h('p', null, typeof logo === 'string' ? logo : logo.src)
  }
  const place = await draw(wanted.map(([chainId, token]) => h(Shown, { chainId, token })))
  await vi.waitFor(async () => {
    await draw(
      wanted.map(([chainId, token]) => h(Shown, { chainId, token })),
      place,
    )
    expect(place.text).not.toContain('reading')
  })
  return place.childNodes.map(({ text }) => text)
}

it('finds a logo by chain and address, as a picture that contains the whole drawing', async () => {
  const [src = ''] = await show([8453, usdc])
  expect(src).toMatch(/^data:image\/svg\+xml,%3Csvg/)
  expect(decodeURIComponent(src.slice('data:image/svg+xml,'.length))).toBe(drawing)
})

it('has none for the address on another chain, for another address, and without a chain', async () => {
  const other: Address = '0x00000000000000000000000000000000deadbeef'
  expect(await show([1, usdc], [8453, other], [undefined, usdc])).toEqual(['none', 'none', 'none'])
})

it('reads the package’s file once for any number of tokens', async () => {
  await show([8453, usdc], [8453, usdc], [1, usdc])
  await show([8453, usdc])
  expect(read.mock.calls).toEqual([['/tokenLogos/logos.json']])
})

it('falls back to letters without the file', async () => {
  read.mockImplementation(async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await show([8453, usdc])).toEqual(['none'])
})
