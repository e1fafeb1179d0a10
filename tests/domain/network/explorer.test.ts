import { expect, it } from 'vitest'
import { explorerLink } from '../../../src/domain/network/explorer.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const account = `0x${'cd'.repeat(20)}` as const

it.each([
  ['https://scan.example', 'https://scan.example'],
  ['https://scan.example/', 'https://scan.example'],
  ['https://scan.example/tx/', 'https://scan.example'],
  ['https://scan.example/tx', 'https://scan.example'],
  ['https://scan.example/address//', 'https://scan.example'],
  ['https://scan.example/base/tx/', 'https://scan.example/base'],
  ['https://scan.example/mytx/', 'https://scan.example/mytx'],
  ['http://localhost:4000/tx/', 'http://localhost:4000'],
])('normalises the explorer URL %s to %s', (explorerUrl, base) => {
  const network = { chainId: 777, explorerUrl }
  expect(explorerLink(network, 'tx', hash)).toBe(`${base}/tx/${hash}`)
  expect(explorerLink(network, 'address', account)).toBe(`${base}/address/${account}`)
})

it('uses the default explorer of a known chain and none on other chains', () => {
  expect(explorerLink({ chainId: 1 }, 'tx', hash)).toBe(`https://etherscan.io/tx/${hash}`)
  expect(explorerLink({ chainId: 777 }, 'tx', hash)).toBeUndefined()
})
