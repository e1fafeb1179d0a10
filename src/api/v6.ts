import * as z from 'zod/mini'
import type { Address, Token } from '../domain/token.ts'
import { parseAddress } from '../domain/token.ts'
import type { Trade } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'
import type { SwapApi } from './api.ts'
import type { Http } from './http.ts'
import * as answers from './v6Answers.ts'
import { checkAddress, checkAmount, quoteQuery, swapQuery } from './v6Query.ts'

const includes = { includeProtocols: true, includeGas: true }

/** The swap service by its interface's version 6.1. A call with a value beyond the interface's limits is not sent. */
export function v6(http: Http, chainId: number): SwapApi {
  const root = `/v6.1/${chainId}`
  return {
    async quote(trade, options = {}, signal) {
      checkChain(trade, chainId)
      const query = { ...quoteQuery(trade, options), ...includes }
      const { dstAmount, gas, protocols } = await http.get(
        `${root}/quote`,
        query,
        answers.quoteAnswer,
        signal,
      )
      return { trade, returns: something(dstAmount, trade), gas, route: protocols }
    },

    async swap(trade, options, signal) {
      checkChain(trade, chainId)
      const query = { ...swapQuery(trade, options), ...includes }
      const { dstAmount, tx, protocols } = await http.get(`${root}/swap`, query, answers.swapAnswer, signal)
      const { gasPrice: _notOurs, ...transaction } = tx
      return { trade, returns: something(dstAmount, trade), ...transaction, route: protocols ?? [] }
    },

    async spender(signal) {
      const { address } = await http.get(`${root}/approve/spender`, {}, answers.spenderAnswer, signal)
      return address
    },

    async approval(token, amount, signal) {
      const query = {
        tokenAddress: checkAddress('token', token),
        amount: amount === undefined ? undefined : checkAmount('amount', amount, 0n),
      }
      return http.get(`${root}/approve/transaction`, query, answers.approvalAnswer, signal)
    },

    async allowance(token, owner, signal) {
      const query = {
        tokenAddress: checkAddress('token', token),
        walletAddress: checkAddress('owner', owner),
      }
      const answer = await http.get(`${root}/approve/allowance`, query, answers.allowanceAnswer, signal)
      return answer.allowance
    },

    async sources(signal) {
      const { protocols } = await http.get(`${root}/liquidity-sources`, {}, answers.sourcesAnswer, signal)
      return protocols
    },

    async tokens(signal) {
      const { tokens } = await http.get(`${root}/tokens`, {}, answers.tokensAnswer, signal)
      return readTokens(tokens, `${root}/tokens`)
    },
  }
}

function checkChain(trade: Trade, chainId: number): void {
  if (trade.chainId === chainId) return
  throw new WalletError(
    'invalid-input',
    `This service is asked about chain ${chainId}, not ${trade.chainId}.`,
    {
      field: 'chainId',
    },
  )
}

/**
 * `returns`, when it is more than nothing. Zero is a well-formed amount, so it is not garbled; but it is no offer either: it
 * means that the amount sold is worth less than the smallest unit of what is bought.
 */
function something(returns: bigint, trade: Trade): bigint {
  if (returns > 0n) return returns
  throw new WalletError('no-route', 'The amount is too small: it would buy nothing.', {
    amount: String(trade.amount),
  })
}

/** Entries that are not a token under its own address are left out; a list that holds nothing else is unreadable. */
function readTokens(entries: Record<string, unknown>, operation: string): Token[] {
  const tokens = new Map<Address, Token>()
  for (const [key, entry] of Object.entries(entries)) {
    const result = z.safeParse(answers.tokenAnswer, entry)
    if (result.success && parseAddress(key) === result.data.address)
      tokens.set(result.data.address, result.data)
  }
  if (tokens.size === 0 && Object.keys(entries).length > 0) {
    throw new WalletError(
      'service-garbled',
      `The swap service answered ${operation} without a single token.`,
      {
        operation,
        field: 'tokens',
      },
    )
  }
  return [...tokens.values()]
}
