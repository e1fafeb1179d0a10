import { expect, it } from 'vitest'
import { toFormValues } from '../../../src/domain/network/networkTexts.ts'
import { readAddresses, validateNetwork } from '../../../src/ui/networks/validateNetwork.ts'
import { local } from '../../helpers/state/fakes.ts'

it('returns an error for each invalid field', () => {
  const texts = toFormValues(local)
  const fine = Object.values(validateNetwork(texts))
  expect(new Set(fine)).toEqual(new Set([undefined]))
  const same = texts.rpcUrl
  const faults = validateNetwork({
    ...texts,
    name: ' ',
    symbol: 'MUCHTOOLONGASYMBOL'.repeat(2),
    rpcUrl: 'ftp://nowhere',
    explorerUrl: 'http://scan.example',
    router: '0x12',
  })
  expect(faults).toEqual({
    name: 'This field is required',
    symbol: 'Max 32 characters',
    serviceUrl: undefined,
    rpcUrl: expect.stringMatching(/http/i),
    spareRpcUrl: undefined,
    explorerUrl: expect.stringMatching(/https/i),
    router: 'Enter a valid address',
  })
  expect(validateNetwork({ ...texts, spareRpcUrl: same }).spareRpcUrl).toBe('Same as the RPC URL')
})

it('reads labelled, prefixed and checksummed addresses as plain ones, and leaves the other edits', () => {
  const plain = `0x${'ab'.repeat(20)}`
  const edits = { rpcUrl: ' https://rpc.example ', wrapped: '', quoter: '0x12' }
  const typed = {
    router: ` Router: ${plain} `,
    v3Factory: `eth:${plain}`,
    swapRouter: plain.toUpperCase().replace('X', 'x'),
  }
  expect(readAddresses({ ...edits, ...typed })).toEqual({
    ...edits,
    router: plain,
    v3Factory: plain,
    swapRouter: plain,
  })
  expect(readAddresses({})).toEqual({})
})
