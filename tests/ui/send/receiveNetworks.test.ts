import { expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { selectReceiving } from '../../../src/ui/send/ReceiveNetworks.tsx'
import { local } from '../../helpers/state/fakes.ts'

const { faucetUrl: _, ...plain } = local
const network = (chainId: number, rpcUrl = 'https://rpc.example'): Network => ({ ...plain, chainId, rpcUrl })
const [ethereum, base, unset] = [network(1), network(8453), network(10, '')]
const chain = { ...network(31337), faucetUrl: 'http://127.0.0.1:8788' }

it('names the current network first, then the others with an RPC', () => {
  expect(selectReceiving([ethereum, base, unset], base)).toEqual([base, ethereum])
})

it('names a local chain only when it is the current network', () => {
  expect(selectReceiving([chain, ethereum], ethereum)).toEqual([ethereum])
  expect(selectReceiving([chain, ethereum], chain)).toEqual([chain, ethereum])
})

it('leaves out a current network without an RPC, unless no network has one', () => {
  expect(selectReceiving([unset, base], unset)).toEqual([base])
  expect(selectReceiving([unset], unset)).toEqual([unset])
})
