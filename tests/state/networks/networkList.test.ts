import { expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { networkState, searchNetworks, sortNetworks } from '../../../src/state/networks/networkList.ts'
import { local } from '../../helpers/state/fakes.ts'

const bare: Network = { ...local, chainId: 1, name: 'Ethereum', serviceUrl: '', rpcUrl: '' }
// Without Uniswap.
const gnosis = { chainId: 100, name: 'Gnosis', coin: { symbol: 'xDAI', name: 'xDAI' } }
const nodeOnly: Network = { ...bare, ...gnosis, rpcUrl: 'https://node.example' }
const ready: Network = { ...bare, chainId: 10, name: 'Optimism', rpcUrl: 'https://node.example' }
const all = [bare, nodeOnly, ready, local]

it('sorts the network in use first, then those with an RPC, then the rest in the table’s order', () => {
  const own: Network = { ...nodeOnly, chainId: 777, name: 'Mine' }
  const base: Network = { ...bare, chainId: 8453, name: 'Base' }
  const ids = (chosen: number) =>
    sortNetworks([own, bare, base, ready, nodeOnly, local], chosen).map(({ chainId }) => chainId)
  // With an RPC: Optimism and Gnosis by the table, then own ones as stored.
  expect(ids(31337)).toEqual([31337, 10, 100, 777, 8453, 1])
  expect(ids(1)).toEqual([1, 10, 100, 777, 31337, 8453])
})

it('names the state of each network', () => {
  expect(all.map((one) => networkState(one, local.chainId))).toEqual([
    'not-set-up',
    'node-only',
    'ready',
    'in-use',
  ])
})

it('finds networks by name, native token and chain id', () => {
  const found = (text: string) => searchNetworks(all, text).map(({ chainId }) => chainId)
  expect(found('')).toEqual([1, 100, 10, 31337])
  expect(found(' OPT')).toEqual([10])
  expect(found('xd')).toEqual([100])
  expect(found('100')).toEqual([100])
  expect(found('nothing')).toEqual([])
})
