import { expect, it } from 'vitest'
import { holdsKey } from '../../src/domain/urlSecrets.ts'

it.each([
  'https://mainnet.example.io/v3/0123456789abcdef0123456789abcdef',
  'https://eth-mainnet.g.example.com/v2/aB3_xYz-90QwErTyUiOp',
  'https://0a1b2c3d4e5f60718293.example.network/',
  'https://node.example/rpc/6f9619ff-8b86-d011-b42d-00cf4fc964ff',
  'https://node.example/?apikey=abcdefgh',
  'https://node.example/rpc?chain=1&dkey=Ab12Cd34Ef',
  'https://node.example/?abcdefgh12',
  'https://me:pw@node.example/',
  'https://node.example/#key=abcdefgh',
])('detects the key in %s', (url) => {
  expect(holdsKey(url)).toBe(true)
})

it.each([
  'https://swap.example/v6.1/1',
  'https://cloudflare-ethereum.example.com/',
  'http://127.0.0.1:8545',
  'https://node.example/?chain=1',
  'https://node.example/ethereum-mainnet-archive',
  'no URL at all 0123456789abcdef0123',
  '',
])('detects no key in "%s"', (url) => {
  expect(holdsKey(url)).toBe(false)
})
