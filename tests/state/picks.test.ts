import { expect, it } from 'vitest'
import type { Address } from '../../src/domain/token.ts'
import type { Picks } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createPicks, dropToken } from '../../src/state/picks.ts'
import { createTokens } from '../../src/state/tokens.ts'
import { dai, pending, standInWallet, token, usdc } from './standIns.ts'

const address = (number: number): Address => `0x${String(number).padStart(40, '0')}`

function opened(kept: Record<number, Picks & { listedAt: number | undefined }>) {
  const saved: unknown[] = []
  const picks = createPicks(
    standInWallet({
      picks: async (chainId) => kept[chainId] ?? { favourites: [], recents: [], listedAt: undefined },
      async savePicks(...change) {
        saved.push(change)
      },
    }),
  )
  return { picks, saved }
}

it('shows what the worker keeps of a network, and how old its list is', async () => {
  const { picks } = opened({ 1: { favourites: [dai.address], recents: [usdc.address], listedAt: 7 } })
  await picks.open(1)
  expect(picks.getState()).toMatchObject({ favourites: [dai.address], recents: [usdc.address], listedAt: 7 })
  await picks.open(5)
  expect(picks.getState()).toMatchObject({ favourites: [], recents: [], listedAt: undefined })
})

it('drops what comes of a network that was left', async () => {
  const slow = pending<Picks & { listedAt: number | undefined }>()
  const none = { favourites: [], recents: [], listedAt: undefined }
  const picks = createPicks(
    standInWallet({ picks: async (chainId) => (chainId === 1 ? slow.promise : none) }),
  )
  const first = picks.open(1)
  await picks.open(5)
  slow.resolve({ ...none, favourites: [dai.address] })
  await first
  expect(picks.getState().favourites).toEqual([])
})

it('marks a token, takes the mark away, and keeps both', async () => {
  const { picks, saved } = opened({})
  await picks.open(1)
  await picks.toggle(dai.address)
  await picks.toggle(usdc.address)
  expect(picks.getState().favourites).toEqual([dai.address, usdc.address])
  await picks.toggle(dai.address)
  expect(saved.at(-1)).toEqual([1, { favourites: [usdc.address] }])
})

it('knows the five that were picked last, the newest first', async () => {
  const { picks, saved } = opened({})
  await picks.open(1)
  for (const number of [1, 2, 3, 4, 5, 6, 3]) await picks.used(address(number))
  expect(picks.getState().recents).toEqual([3, 6, 5, 4, 2].map(address))
  expect(saved.at(-1)).toEqual([1, { recents: [3, 6, 5, 4, 2].map(address) }])
})

it('lets go of a token that no list has', () => {
  const odd = token('c', 'ODD', 8, false)
  const tokens = createTokens(standInWallet({}), systemClock())
  tokens.setState({ tokens: [usdc, odd] })
  dropToken(tokens, usdc.address)
  dropToken(tokens, odd.address)
  expect(tokens.getState().tokens).toEqual([usdc])
})
