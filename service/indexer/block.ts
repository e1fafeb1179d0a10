import type { Hex } from 'viem'
import type { Address } from '../config.ts'

export type Header = { number: bigint; hash: Hex; parentHash: Hex; timestamp: bigint; baseFeePerGas: bigint }

/** A header with its bloom of logs, if the RPC reports one. */
export type Head = Header & { logsBloom?: Hex }

/** A block by number, or by hash where the RPC allows it (EIP-1898). */
export type BlockRef = bigint | Pick<Header, 'number' | 'hash'>

/** With `mayFail` a failure returns 0x. */
export type Call = { to: Address; data: Hex; mayFail?: boolean }
