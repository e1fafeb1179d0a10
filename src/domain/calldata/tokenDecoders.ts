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
    defineDecoder('function transfer(address to, uint256 amount)', ([to, amount], { to: token }) => ({
      kind: 'transfer',
      token,
      to: toLower(to),
      amount,
    })),
    defineDecoder(
      'function transferFrom(address from, address to, uint256 amount)',
      ([from, to, amount], { to: token }) => ({
        kind: 'transfer',
        token,
        from: toLower(from),
        to: toLower(to),
        amount,
      }),
    ),
    defineDecoder(
      'function approve(address spender, uint256 amount)',
      ([spender, amount], { to: token }) => ({
        kind: 'approve',
        token,
        spender: toLower(spender),
        amount,
      }),
    ),
    defineDecoder(
      'function increaseAllowance(address spender, uint256 amount)',
      ([spender, amount], { to: token }) => ({
        kind: 'approve',
        token,
        spender: toLower(spender),
        amount,
        adds: true,
      }),
    ),
    defineDecoder(
      'function approve(address token, address spender, uint160 amount, uint48 expiration)',
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
      'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
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
      'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
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
    defineDecoder('function withdraw(uint256 amount)', ([amount], { to: token, value, wrapped }) =>
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
      'function setApprovalForAll(address operator, bool approved)',
      ([operator, approved], { to: collection }) => ({
        kind: 'approve-all',
        collection,
        operator: toLower(operator),
        approved,
      }),
    ),
    defineDecoder(
      'function safeTransferFrom(address from, address to, uint256 id) payable',
      ([from, to, id], { to: collection }) => sent(collection, from, to, [{ id, amount: 1n }]),
    ),
    defineDecoder(
      'function safeTransferFrom(address from, address to, uint256 id, bytes data) payable',
      ([from, to, id], { to: collection }) => sent(collection, from, to, [{ id, amount: 1n }]),
    ),
    defineDecoder(
      'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
      ([from, to, id, amount], { to: collection }) => sent(collection, from, to, [{ id, amount }]),
    ),
    defineDecoder(
      'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
      ([from, to, ids, amounts], { to: collection }) => {
        if (ids.length !== amounts.length) return undefined
        const items = ids.map((id, index) => ({ id, amount: amounts[index] ?? 0n }))
        return sent(collection, from, to, items)
      },
    ),
  ]
}
