import { expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import type { OwnAccount } from '../../../src/protocol.ts'
import { whoSends } from '../../../src/ui/send/SendScreen.tsx'
import { account, dai, friend } from '../../helpers/samples/activitySamples.ts'

const accounts = [account, friend].map((address) => ({ address }) as OwnAccount)
const networks = [1, 31337].map((chainId) => ({ chainId }) as Network)

it('returns the account and the network that the transfer was planned with', () => {
  expect(whoSends({ account: friend, chainId: 31337 }, { accounts, networks })).toEqual({
    account: { address: friend },
    network: { chainId: 31337 },
  })
})

it('returns undefined when the account or the network no longer exists', () => {
  expect(whoSends({ account: dai, chainId: 31337 }, { accounts, networks })).toBeUndefined()
  expect(whoSends({ account: friend, chainId: 5 }, { accounts, networks })).toBeUndefined()
})
