import type { RpcError } from './rpcProxy.ts'

type Dialect = (revert: RpcError) => RpcError

const dialects: Record<string, Dialect> = {
  Besu: ({ data }) => ({ code: -32000, message: 'Execution reverted', data }),
  Nethermind: ({ data }) => ({ code: -32015, message: 'execution reverted', data }),
  OpenEthereum: ({ data }) => ({ code: -32015, message: 'VM execution error.', data: `Reverted ${data}` }),
  Hardhat: ({ data }) => ({
    code: -32603,
    message: 'Error: VM Exception while processing transaction: reverted',
    data: { message: 'reverted', txHash: `0x${'5a'.repeat(32)}`, data },
  }),
  Ganache: ({ data }) => ({
    code: -32000,
    message: 'VM Exception while processing transaction: revert',
    data: { [`0x${'5a'.repeat(32)}`]: { error: 'revert', program_counter: 92, return: data } },
  }),
  'a client with the data in its message': ({ data }) => ({
    code: -32000,
    message: `execution reverted: ${data}`,
  }),
  'a client with capitals in quotes': ({ data }) => ({
    code: -32000,
    message: 'Execution reverted',
    data: `"0x${String(data).slice(2).toUpperCase()}"`,
  }),
  'a proxy': ({ data }) => ({
    code: -32603,
    message: 'Internal JSON-RPC error.',
    data: { originalError: { code: 3, data } },
  }),
}

export const clients = Object.keys(dialects)

/** Rewrites Anvil's reverts (code 3) as `client` reports them. */
export function speaking(client: string): Dialect {
  return (error) => (error.code === 3 ? (dialects[client]?.(error) ?? error) : error)
}
