import { expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { isSetUp, setupProgress } from '../../../src/state/networks/setupProgress.ts'
import { local } from '../../helpers/state/fakes.ts'

const bare: Network = { ...local, chainId: 8453, serviceUrl: '', rpcUrl: '' }
const rpcOnly: Network = { ...bare, chainId: 777, rpcUrl: 'https://rpc.example' }

it('counts the wallet as ready by the RPC of its current network, and swaps by any network', () => {
  expect(setupProgress([bare], bare)).toEqual({ wallet: false, swaps: false })
  expect(setupProgress([bare, rpcOnly], rpcOnly)).toEqual({ wallet: true, swaps: false })
  expect(setupProgress([bare, local], bare)).toEqual({ wallet: false, swaps: true })
  expect(setupProgress([bare, rpcOnly, local], rpcOnly)).toEqual({ wallet: true, swaps: true })
  expect(setupProgress([local], local)).toEqual({ wallet: true, swaps: true })
})

it('is set up once both are ready', () => {
  expect([isSetUp([bare], bare), isSetUp([rpcOnly], rpcOnly), isSetUp([bare, local], bare)]).toEqual([
    false,
    false,
    false,
  ])
  expect(isSetUp([bare, local], local)).toBe(true)
})
