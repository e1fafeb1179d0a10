import { describe, expect, it } from 'vitest'
import { parseErrorObject } from '../../../src/evm/rpc/errorObject.ts'
import { parseRpcError } from '../../../src/evm/rpc/rpcError.ts'

/** Error("too late"). */
const tooLate = `0x08c379a0${'20'.padStart(64, '0')}${'8'.padStart(64, '0')}${'746f6f206c617465'.padEnd(64, '0')}`

const hash = `0x${'5a'.repeat(32)}`

describe('parseRpcError', () => {
  it.each([
    ['geth', { code: 3, message: 'execution reverted: too late', data: tooLate }],
    ['OpenEthereum', { code: -32015, message: 'VM execution error.', data: `Reverted ${tooLate}` }],
    ['Nethermind', { code: -32015, message: 'execution reverted', data: tooLate }],
    ['Nethermind before', { code: -32015, message: 'VM execution error.', data: 'revert: too late' }],
    ['Besu', { code: -32000, message: 'Execution reverted', data: tooLate }],
    ['Besu without data', { code: -32000, message: 'Execution reverted (too late)' }],
    [
      'Besu without words',
      { code: -32000, message: 'Transaction processing could not be completed', data: tooLate },
    ],
    ['geth without data', { code: -32000, message: 'execution reverted: too late' }],
    [
      'Hardhat',
      {
        code: -32603,
        message: 'Error: VM Exception while processing transaction',
        data: { message: 'it', txHash: hash, data: tooLate },
      },
    ],
    [
      'Hardhat without data',
      {
        code: -32603,
        message: "Error: VM Exception while processing transaction: reverted with reason string 'too late'",
      },
    ],
    [
      'Hardhat in words',
      { code: -32603, message: `reverted with an unrecognized custom error (return data: ${tooLate})` },
    ],
    ['Ganache', { code: -32000, message: 'VM Exception', data: { hash, result: tooLate, reason: 'no' } }],
    [
      'Ganache before',
      {
        code: -32000,
        message: 'VM Exception while processing transaction: revert',
        data: { [hash]: { error: 'revert', program_counter: 92, return: tooLate }, stack: 'RuntimeError' },
      },
    ],
    [
      'a proxy',
      {
        code: -32603,
        message: 'Internal JSON-RPC error.',
        data: { originalError: { code: 3, data: tooLate } },
      },
    ],
    ['older clients', { code: -32000, message: `execution reverted: ${tooLate}` }],
    ['a node in its message', { code: -32000, message: `Reverted ${tooLate}` }],
    ['Filecoin', { code: -32000, message: `message execution failed (revert reason=[${tooLate}])` }],
    ['a node without 0x', { code: 3, message: 'execution reverted', data: tooLate.slice(2) }],
    ['a node in quotes', { code: -32000, message: 'Execution reverted', data: `"${tooLate}"` }],
    [
      'OpenEthereum in capitals',
      { code: -32015, message: 'VM execution error.', data: `Reverted 0x${tooLate.slice(2).toUpperCase()}` },
    ],
  ])('extracts the revert reason in the form of %s', (_client, error) => {
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({
      code: 'reverted',
      message: 'The transaction would fail: too late.',
      facts: { reason: 'too late' },
    })
  })

  it('reports the selector of a custom error and the message of the client', () => {
    const error = { code: 3, message: 'execution reverted: custom error 0x12345678', data: '0x12345678' }
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({
      code: 'reverted',
      facts: { error: '0x12345678', reason: 'custom error 0x12345678' },
    })
  })

  it.each([
    'execution reverted',
    'VM execution error.',
    'Reverted',
    'VM Exception while processing transaction: revert',
  ])('reports the same reason for every revert without one: %s', (message) => {
    expect(parseRpcError(parseErrorObject({ code: 3, message }), 'eth_call')).toMatchObject({
      code: 'reverted',
      facts: { reason: 'no reason was given' },
    })
  })

  it('does not take a hash beside the data for revert data', () => {
    const error = { code: -32000, message: 'odd', data: { txHash: hash, blockHash: hash } }
    expect(parseErrorObject(error).data).toBeUndefined()
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({ code: 'node-unreachable' })
  })

  it('stops searching for revert data in deeply nested errors', () => {
    let data: unknown = tooLate
    for (let level = 0; level < 10_000; level++) data = { data }
    expect(parseErrorObject({ code: -32000, message: 'odd', data }).data).toBeUndefined()
  })
})
