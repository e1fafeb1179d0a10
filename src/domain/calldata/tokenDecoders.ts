import { permit2 } from '../signing/permit2.ts'
import { maxUint256 } from '../token/amount.ts'
import type { Address } from '../token/token.ts'
import type { DecodedItem, DecodedTokenCall } from './decodedCall.ts'
import { type CallDecoder, defineDecoder, toLower } from './decoder.ts'

export function tokenDecoders(): CallDecoder[] {
  return [...coinReaders(), ...itemReaders()]
}

function coinReaders(): CallDecoder[] {
  return [
    defineDecoder('function transfer(address, uint256)', ([to, amount], { to: token }) => ({
      kind: 'transfer',
      token,
      to: toLower(to),
      amount,
    })),
    defineDecoder(
      'function transferFrom(address, address, uint256)',
      ([from, to, amount], { to: token }) => ({
        kind: 'transfer',
        token,
        from: toLower(from),
        to: toLower(to),
        amount,
      }),
    ),
    defineDecoder('function approve(address, uint256)', ([spender, amount], { to: token }) => ({
      kind: 'approve',
      token,
      spender: toLower(spender),
      amount,
    })),
    defineDecoder('function increaseAllowance(address, uint256)', ([spender, amount], { to: token }) => ({
      kind: 'approve',
      token,
      spender: toLower(spender),
      amount,
      adds: true,
    })),
    defineDecoder(
      'function approve(address, address, uint160, uint48)',
      ([token, spender, amount, until], { to }) =>
        to === permit2
          ? {
              kind: 'approve',
              token: toLower(token),
              spender: toLower(spender),
              amount,
              until: BigInt(until),
            }
          : undefined,
    ),
    defineDecoder(
      'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
      ([owner, spender, amount, until], { to: token }) => ({
        kind: 'permit',
        token,
        owner: toLower(owner),
        spender: toLower(spender),
        amount,
        until,
      }),
    ),
    defineDecoder(
      'function permit(address, address, uint256, uint256, bool, uint8, bytes32, bytes32)',
      ([owner, spender, , until, allowed], { to: token }) => ({
        kind: 'permit',
        token,
        owner: toLower(owner),
        spender: toLower(spender),
        amount: allowed ? maxUint256 : 0n,
        until,
      }),
    ),
    // Other contracts may have these with another meaning.
    defineDecoder('function deposit() payable', (_none, { to: token, value, wrapped }) =>
      wrapped.includes(token)
        ? { kind: 'wrap', token, amount: value }
        : {
            kind: 'unknown',
            to: token,
            selector: '0xd0e30db0',
            name: 'deposit()',
            bytes: 4,
            value,
            isPayment: true,
          },
    ),
    defineDecoder('function withdraw(uint256)', ([amount], { to: token, value, wrapped }) =>
      wrapped.includes(token)
        ? { kind: 'unwrap', token, amount }
        : { kind: 'unknown', to: token, selector: '0x2e1a7d4d', name: 'withdraw(uint256)', bytes: 36, value },
    ),
  ]
}

function itemReaders(): CallDecoder[] {
  const sent = (collection: Address, from: string, to: string, items: DecodedItem[]): DecodedTokenCall => ({
    kind: 'transfer-items',
    collection,
    from: toLower(from),
    to: toLower(to),
    items,
  })
  return [
    defineDecoder(
      'function setApprovalForAll(address, bool)',
      ([operator, approved], { to: collection }) => ({
        kind: 'approve-all',
        collection,
        operator: toLower(operator),
        approved,
      }),
    ),
    defineDecoder(
      'function safeTransferFrom(address, address, uint256) payable',
      ([from, to, id], { to: collection }) => sent(collection, from, to, [{ id, amount: 1n }]),
    ),
    defineDecoder(
      'function safeTransferFrom(address, address, uint256, bytes) payable',
      ([from, to, id], { to: collection }) => sent(collection, from, to, [{ id, amount: 1n }]),
    ),
    defineDecoder(
      'function safeTransferFrom(address, address, uint256, uint256, bytes)',
      ([from, to, id, amount], { to: collection }) => sent(collection, from, to, [{ id, amount }]),
    ),
    defineDecoder(
      'function safeBatchTransferFrom(address, address, uint256[], uint256[], bytes)',
      ([from, to, ids, amounts], { to: collection }) => {
        if (ids.length !== amounts.length) return undefined
        const items = ids.map((id, index) => ({ id, amount: amounts[index] ?? 0n }))
        return sent(collection, from, to, items)
      },
    ),
  ]
}
