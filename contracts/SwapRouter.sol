// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {Hops} from './Hops.sol';
import {Payments} from './Payments.sol';
import {Permits} from './Permits.sol';
import {FullMath} from './FullMath.sol';
import {Branch, Header, Hop, hopAt, WORD, wordAt} from './Route.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @dev Tokens are pulled from msg.sender only, when a hop sells them. Callers choose tokens and pools, never
/// selectors.
/// @dev Pools pay each other and the recipient where nothing has to be measured in between. Elsewhere amounts
/// are measured above the router's idle balances, so no call pays out more than it brought in.
contract SwapRouter is Hops {
  using Transfers for address;

  uint256 private constant MAX_FEE_PPM = 30_000;

  uint256 private constant PARTIAL_FILL = 1;
  uint256 private constant USE_PERMIT2 = 4;

  /// @param source of `tokens[0]`
  /// @param holder receives the last token: the recipient, or the router if it is native
  /// @param held the holder's balance of it
  struct Sale {
    uint256 source;
    address holder;
    uint256 held;
  }

  /// @param idle the router's before the branch
  /// @param seen after the last purchase
  struct Balance {
    bool isKnown;
    uint256 idle;
    uint256 seen;
  }

  constructor(
    address weth,
    address permit2,
    address vault,
    address poolManager,
    address vaultV3
  ) Payments(weth, permit2, vault, poolManager, vaultV3) {}

  function swap(
    address executor,
    SwapDescription memory desc,
    bytes calldata data
  ) external payable locked returns (uint256 returnAmount, uint256 spentAmount) {
    if (executor != address(this)) revert WrongExecutor(executor);
    _checkDescription(desc);
    Header header = Header.wrap(wordAt(data, 0));
    if (block.timestamp > header.deadline()) revert Expired(header.deadline());
    address[] memory tokens = header.tokensIn(data, desc.srcToken, desc.dstToken);
    (uint256 feePpm, address referrer) = _feeOf(header);
    (bytes calldata branches, bytes calldata permit, bytes calldata hops) = header.sectionsIn(data);
    uint256 source = _sourceOf(desc, permit);

    address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
    address holder = desc.dstToken == NATIVE ? address(this) : receiver;
    uint256 before = desc.dstToken.balanceOf(holder);
    Sale memory sale = Sale(source, holder, before);
    uint256 fee = feePpm == 0 ? 0 : (desc.amount * feePpm) / MILLION;
    spentAmount = branches.length == 0
      ? _sellWhole(sale, tokens, hops, desc.amount - fee)
      : _sellBranches(sale, tokens, branches, hops, desc.amount - fee, desc.flags & PARTIAL_FILL != 0);
    returnAmount = sale.held - before;

    if (fee > 0) spentAmount += _payFee(desc.srcToken, source, referrer, feePpm, fee, spentAmount);
    _requireReturn(returnAmount, desc, spentAmount);
    if (desc.srcToken == NATIVE && spentAmount < desc.amount) NATIVE.send(msg.sender, desc.amount - spentAmount);
    if (desc.dstToken == NATIVE) returnAmount = _pay(receiver, returnAmount, desc, spentAmount);

    emit Swapped(msg.sender, spentAmount, returnAmount);
  }

  function _checkDescription(SwapDescription memory desc) private view {
    if (desc.srcReceiver != address(this)) revert WrongSrcReceiver(desc.srcReceiver);
    if (desc.dstReceiver == address(this)) revert WrongDstReceiver(desc.dstReceiver);
    if (desc.flags & ~(PARTIAL_FILL | USE_PERMIT2) != 0) revert UnknownFlags(desc.flags);
    uint256 value = desc.srcToken == NATIVE ? desc.amount : 0;
    if (msg.value != value) revert WrongValue(msg.value, value);
  }

  function _feeOf(Header header) private view returns (uint256 feePpm, address referrer) {
    feePpm = header.feePpm();
    if (feePpm == 0) return (0, address(0));
    if (feePpm > MAX_FEE_PPM) revert FeeTooHigh(feePpm, MAX_FEE_PPM);
    referrer = header.referrer();
    if (referrer == address(0) || referrer == address(this)) revert NoReferrer(feePpm);
  }

  /// @dev Submits the permit. Returns where the source tokens are.
  function _sourceOf(SwapDescription memory desc, bytes calldata permit) private returns (uint256 source) {
    if (desc.srcToken == NATIVE) return ROUTER;
    source = desc.flags & USE_PERMIT2 == 0 ? ALLOWANCE : ALLOWANCE_TO_PERMIT2;
    if (permit.length == 0) return source;
    if (source == ALLOWANCE) Permits.tryToken(desc.srcToken, permit);
    else Permits.tryPermit2(PERMIT2, desc.srcToken, permit);
  }

  /// @dev The fee is `feePpm` millionths of the spent amount, itself included.
  function _payFee(
    address token,
    uint256 source,
    address referrer,
    uint256 feePpm,
    uint256 maximum,
    uint256 sold
  ) private returns (uint256 due) {
    due = (sold * feePpm) / (MILLION - feePpm);
    if (due > maximum) due = maximum; // it was rounded down
    if (due > 0) _transfer(token, source, referrer, due);
  }

  /// @dev A single branch reverts with its own reason.
  function _sellWhole(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata hops,
    uint256 amount
  ) private returns (uint256 taken) {
    if (hops.length == 0) revert EmptyBranch(0);
    return _sellBranch(sale, tokens, hops, amount, 0);
  }

  /// @dev The last branch has no word: it sells the rest by the hops that are left.
  function _sellBranches(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata branches,
    bytes calldata hops,
    uint256 given,
    bool mayFail
  ) private returns (uint256 sold) {
    uint256 weights = 0;
    uint256 firstHop = 0;
    uint256 failed = 0;
    uint256 last = branches.length / WORD;
    for (uint256 i = 0; i <= last; ++i) {
      uint256 amount = given - sold - failed;
      uint256 end = hops.length;
      if (i < last) {
        Branch branch = Branch.wrap(wordAt(branches, i));
        uint256 weight = branch.branchWeight();
        if (weight == 0 || weights + weight >= MILLION) revert WrongBranchWeight(i, weight, weights);
        weights += weight;
        amount = (given * weight) / MILLION;
        end = (firstHop + branch.hopCount()) * WORD;
      }
      bytes calldata own = hops[firstHop * WORD:end];
      if (own.length == 0) revert EmptyBranch(i);

      if (mayFail) {
        (bool done, uint256 taken) = _trySelling(sale, tokens, own, amount, i, firstHop);
        if (!done) failed += amount;
        sold += taken;
      } else {
        sold += _sellBranch(sale, tokens, own, amount, firstHop);
      }
      firstHop = end / WORD;
    }
  }

  /// @dev Senders could starve a branch of gas: calls get at most 63/64 (EIP-150). Running out k calls deep
  /// leaves at most 1 − (63/64)^k, below 1/6 for k ≤ 11: rates in the vault v3 nest nine
  /// deep. With less, the swap reverts.
  function _trySelling(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 branch,
    uint256 firstHop
  ) private returns (bool done, uint256 taken) {
    uint256 gasBefore = gasleft();
    try this.sellBranch(sale.source, sale.holder, sale.held, tokens, hops, amount, firstHop) returns (
      uint256 takenNow,
      uint256 held
    ) {
      sale.held = held;
      return (true, takenNow);
    } catch {
      if (gasleft() < gasBefore / 6) revert TooLittleGas(branch);
      emit BranchFailed(branch);
      return (false, 0);
    }
  }

  /// @dev Callers choose no selectors, so only `_trySelling` reaches this.
  function sellBranch(
    uint256 source,
    address holder,
    uint256 before,
    address[] calldata tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 firstHop
  ) external returns (uint256 taken, uint256 held) {
    if (msg.sender != address(this)) revert NotRouter(msg.sender);
    Sale memory sale = Sale(source, holder, before);
    taken = _sellBranch(sale, tokens, hops, amount, firstHop);
    held = sale.held;
  }

  /// @dev Connector tokens must be fully sold, but for dust and what contracts return to the sender.
  function _sellBranch(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 firstHop
  ) private returns (uint256 taken) {
    if (amount == 0) revert NothingToSell(firstHop, tokens[0]);
    return
      _isPath(hops, tokens.length - 1)
        ? _sellPath(sale, tokens, hops, amount, firstHop)
        : _sellSplit(sale, tokens, hops, amount, firstHop);
  }

  /// @dev True if each token is sold by one hop, to the next hop's token.
  function _isPath(bytes calldata hops, uint256 last) internal pure virtual returns (bool) {
    uint256 from = 0;
    uint256 count = hops.length / WORD;
    for (uint256 i = 0; i < count; ++i) {
      Hop hop = hopAt(hops, i);
      if (hop.from() != from || hop.to() <= from || hop.weight() != 0) return false;
      from = hop.to();
    }
    return from == last;
  }

  /// @dev Each hop pays the next v2 or Solidly pool, the holder, or else the router.
  function _sellPath(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 firstHop
  ) private returns (uint256 taken) {
    uint256 funds = sale.source;
    address sold = tokens[0];
    uint256 idle = 0;
    uint256 last = hops.length / WORD - 1;
    Hop hop = hopAt(hops, 0);
    for (uint256 i = 0; i < last; ++i) {
      Hop next = hopAt(hops, i + 1);
      address bought = tokens[hop.to()];
      bool isDirect = next.kind() == V2 || next.kind() == SOLIDLY;
      address to = isDirect ? next.pool() : address(this);
      uint256 idleNext = isDirect ? 0 : bought.balanceOf(to);
      uint256 takenNow = _trade(firstHop + i, hop, sold, bought, amount, funds, to);
      if (i == 0) taken = takenNow;
      else if (funds == ROUTER) _requireIdle(sold, idle);
      if (!isDirect) {
        uint256 balance = bought.balanceOf(to);
        if (balance <= idleNext) revert NothingBought(firstHop + i, bought);
        amount = balance - idleNext;
      }
      (hop, sold, idle, funds) = (next, bought, idleNext, isDirect ? POOL : ROUTER);
    }

    address dst = tokens[tokens.length - 1];
    uint256 takenLast = _trade(firstHop + last, hop, sold, dst, amount, funds, sale.holder);
    if (last == 0) taken = takenLast;
    else if (funds == ROUTER) _requireIdle(sold, idle);
    uint256 held = dst.balanceOf(sale.holder);
    if (held <= sale.held) revert NothingBought(firstHop + last, dst);
    sale.held = held;
  }

  /// @dev The router holds connector tokens. Sells them in the order of `tokens`.
  function _sellSplit(
    Sale memory sale,
    address[] memory tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 firstHop
  ) private returns (uint256 taken) {
    uint256 last = tokens.length - 1;
    Balance[] memory balances = new Balance[](last + 1);
    balances[last] = Balance(true, sale.held, sale.held);
    uint256 next;
    (next, taken) = _sell(sale, tokens, balances, 0, amount, hops, 0, firstHop);
    for (uint256 from = 1; from < last; ++from) {
      Balance memory balance = balances[from];
      bool isSold = next < hops.length / WORD && hopAt(hops, next).from() == from;
      if (isSold) {
        (next, ) = _sell(sale, tokens, balances, from, balance.seen - balance.idle, hops, next, firstHop);
      }
      if (balance.isKnown) _requireIdle(tokens[from], balance.idle);
    }
    if (next < hops.length / WORD) revert WrongOrder(firstHop + next, hopAt(hops, next).from());
    sale.held = balances[last].seen;
  }

  /// @dev Returns the index of the first hop with another `from`, and what the hops took.
  function _sell(
    Sale memory sale,
    address[] memory tokens,
    Balance[] memory balances,
    uint256 from,
    uint256 amount,
    bytes calldata hops,
    uint256 next,
    uint256 firstHop
  ) private returns (uint256, uint256 taken) {
    uint256 weights = 0;
    uint256 count = hops.length / WORD;
    for (; next < count; ++next) {
      Hop hop = hopAt(hops, next);
      if (hop.from() != from) break;
      (uint256 index, uint256 to, uint256 weight) = (firstHop + next, hop.to(), hop.weight());
      if (to <= from || to >= balances.length) revert WrongTarget(index, from, to, balances.length);
      bool last = next + 1 == count || hopAt(hops, next + 1).from() != from;
      if (last != (weight == 0) || weights + weight >= MILLION) revert WrongWeight(index, weight, weights);
      weights += weight;
      uint256 share = last ? amount - taken : (amount * weight) / MILLION;
      if (share == 0) revert NothingToSell(index, tokens[from]);
      taken += _sellShare(sale, tokens, balances, hop, index, share);
    }
    return (next, taken);
  }

  function _sellShare(
    Sale memory sale,
    address[] memory tokens,
    Balance[] memory balances,
    Hop hop,
    uint256 index,
    uint256 share
  ) private returns (uint256 taken) {
    address bought = tokens[hop.to()];
    address to = hop.to() + 1 == balances.length ? sale.holder : address(this);
    Balance memory balance = balances[hop.to()];
    if (!balance.isKnown) {
      uint256 idle = bought.balanceOf(to);
      (balance.isKnown, balance.idle, balance.seen) = (true, idle, idle);
    }
    uint256 funds = hop.from() == 0 ? sale.source : ROUTER;
    taken = _trade(index, hop, tokens[hop.from()], bought, share, funds, to);
    uint256 seen = bought.balanceOf(to);
    if (seen <= balance.seen) revert NothingBought(index, bought);
    balance.seen = seen;
  }

  /// @dev Recipients may pass native tokens on, so the minimum is checked again.
  function _pay(
    address receiver,
    uint256 amount,
    SwapDescription memory desc,
    uint256 spent
  ) private returns (uint256 arrived) {
    uint256 before = receiver.balance;
    NATIVE.send(receiver, amount);
    uint256 grown = receiver.balance;
    arrived = grown > before ? grown - before : 0;
    _requireReturn(arrived, desc, spent);
  }

  /// @dev `minReturnAmount` is for the whole amount; a partial fill keeps its price.
  function _requireReturn(uint256 returned, SwapDescription memory desc, uint256 spent) private pure {
    if (desc.flags & PARTIAL_FILL == 0) {
      if (returned < desc.minReturnAmount) revert ReturnTooLow(returned, desc.minReturnAmount);
    } else if (returned == 0 || !FullMath.atLeast(returned, desc.amount, desc.minReturnAmount, spent)) {
      revert FillTooLow(returned, spent, desc.amount, desc.minReturnAmount);
    }
  }
}
