import { expect, it } from 'vitest'
import type { TokenPreferences } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createTokenPreferences, removeFavourite } from '../../../src/state/tokens/favourites.ts'
import { createTokens } from '../../../src/state/tokens/tokens.ts'
import { dai, pending, standInWallet, token, usdc } from '../../helpers/state/fakes.ts'

function opened(kept: Record<number, TokenPreferences & { listedAt: number | undefined }>) {
  const asked: unknown[] = []
  const picks = createTokenPreferences(
    standInWallet({
      tokenPreferences: async (chainId) =>
        kept[chainId] ?? { favourites: [], recents: [], listedAt: undefined },
      async updateTokenPreferences(chainId, change) {
        asked.push([chainId, change])
        return { favourites: change.marked ?? [], recents: change.used ?? [] }
      },
    }),
  )
  return { picks, asked }
}

it('loads the favourites, the recent tokens and the list time of a network', async () => {
  const { picks } = opened({ 1: { favourites: [dai.address], recents: [usdc.address], listedAt: 7 } })
  await picks.open(1)
  expect(picks.getState()).toMatchObject({ favourites: [dai.address], recents: [usdc.address], listedAt: 7 })
  await picks.open(5)
  expect(picks.getState()).toMatchObject({ favourites: [], recents: [], listedAt: undefined })
})

it('ignores a late answer for a network that was left', async () => {
  const slow = pending<TokenPreferences & { listedAt: number | undefined }>()
  const none = { favourites: [], recents: [], listedAt: undefined }
  const picks = createTokenPreferences(
    standInWallet({ tokenPreferences: async (chainId) => (chainId === 1 ? slow.promise : none) }),
  )
  const first = picks.open(1)
  await picks.open(5)
  slow.resolve({ ...none, favourites: [dai.address] })
  await first
  expect(picks.getState().favourites).toEqual([])
})

it('adds and removes a favourite, and reports a used token', async () => {
  const { picks, asked } = opened({ 1: { favourites: [], recents: [], listedAt: 7 } })
  await picks.open(1)
  await picks.toggle(dai.address)
  expect(picks.getState()).toMatchObject({ favourites: [dai.address], listedAt: 7 })
  await picks.toggle(dai.address)
  await picks.used(usdc.address)
  expect(picks.getState().recents).toEqual([usdc.address])
  expect(asked).toEqual([
    [1, { marked: [dai.address] }],
    [1, { unmarked: [dai.address] }],
    [1, { used: [usdc.address] }],
  ])
})

it('sends a used token to the worker before the preferences are loaded', async () => {
  const asked: unknown[] = []
  const picks = createTokenPreferences(
    standInWallet({
      tokenPreferences: () => pending<TokenPreferences & { listedAt: undefined }>().promise,
      async updateTokenPreferences(...change) {
        asked.push(change)
        return { favourites: [], recents: [] }
      },
    }),
  )
  picks.open(1)
  picks.used(dai.address)
  expect(asked).toEqual([[1, { used: [dai.address] }]])
})

it('ignores a late change for a network that was left, and rejects when the worker fails', async () => {
  const { picks } = opened({})
  await picks.open(1)
  const late = picks.used(dai.address)
  const next = picks.open(5)
  await Promise.all([late, next])
  expect(picks.getState().recents).toEqual([])

  const broken = createTokenPreferences(standInWallet({}))
  await expect(broken.open(1)).rejects.toMatchObject({ code: 'internal' })
  await expect(broken.toggle(dai.address)).rejects.toMatchObject({ code: 'internal' })
  expect(broken.getState().favourites).toEqual([])
})

it('removes a token that is not listed and keeps a listed one', () => {
  const odd = token('c', 'ODD', 8, false)
  const tokens = createTokens(standInWallet({}), systemClock())
  tokens.setState({ tokens: [usdc, odd] })
  removeFavourite(tokens, usdc.address)
  removeFavourite(tokens, odd.address)
  expect(tokens.getState().tokens).toEqual([usdc])
})
