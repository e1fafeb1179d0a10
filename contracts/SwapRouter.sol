// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {Ledger, BalanceTracker} from './BalanceTracker.sol';
import {IPermit2, Permits} from './Permits.sol';
import {IV2Pool, IV3Pool, IVault, IWrapped} from './Pools.sol';
import {FullMath} from './FullMath.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @dev Tokens are pulled from msg.sender only. Callers choose tokens and pools, never selectors.
/// @dev Amounts are measured above the idle balances from before the call, so no call pays out more than it
/// brought in.
contract SwapRouter is ISwapRouter {
  using Transfers for address;
  using BalanceTracker for Ledger;

  uint256 private constant MILLION = 1_000_000;
  uint256 private constant MAX_FEE_PPM = 30_000;

  uint256 private constant PARTIAL_FILL = 1;
  uint256 private constant USE_PERMIT2 = 4;

  uint8 private constant WRAP = 0;
  uint8 private constant UNWRAP = 1;
  uint8 private constant V2 = 2;
  uint8 private constant V3 = 3;
  uint8 private constant BALANCER = 4;

  /// @dev Just inside MIN_SQRT_RATIO and MAX_SQRT_RATIO (v3-core TickMath): no limit.
  uint160 private constant LOWEST_SQRT_PRICE = 4295128740;
  uint160 private constant HIGHEST_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  address public immutable WETH;
  address public immutable PERMIT2;
  address public immutable VAULT;

  bool private transient running;

  /// @dev The v3 pool that may call back, and what it may take.
  address private transient armedPool;
  address private transient armedToken;
  uint256 private transient armedAmount;

  constructor(address weth, address permit2, address vault) {
    WETH = weth;
    PERMIT2 = permit2;
    VAULT = vault;
  }

  receive() external payable {
    if (msg.sender != WETH) revert NotWrapped(msg.sender);
  }

  function swap(
    address executor,
    SwapDescription calldata desc,
    bytes calldata data
  ) external payable returns (uint256 returnAmount, uint256 spentAmount) {
    if (running) revert Reentered();
    running = true;

    if (executor != address(this)) revert WrongExecutor(executor);
    _checkDescription(desc);
    Route memory route = abi.decode(data, (Route));
    if (block.timestamp > route.deadline) revert Expired(route.deadline);
    _checkRoute(route, desc);
    Ledger memory ledger = BalanceTracker.open(route.tokens);

    if (desc.srcToken != NATIVE) _pull(desc, route.permit);
    uint256 left = _sellSource(route, ledger, desc.flags & PARTIAL_FILL != 0);
    if (left > 0) {
      desc.srcToken.send(msg.sender, left);
      ledger.held(0); // reverts if the token took more
    }
    // Pools may return more than they received.
    spentAmount = left < desc.amount ? desc.amount - left : 0;

    address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
    returnAmount = _pay(ledger, receiver, desc, spentAmount);

    emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, spentAmount, returnAmount);
    running = false;
  }

  function _checkDescription(SwapDescription calldata desc) private view {
    if (desc.srcReceiver != address(this)) revert WrongSrcReceiver(desc.srcReceiver);
    if (desc.dstReceiver == address(this)) revert WrongDstReceiver(desc.dstReceiver);
    if (desc.flags & ~(PARTIAL_FILL | USE_PERMIT2) != 0) revert UnknownFlags(desc.flags);
    uint256 value = desc.srcToken == NATIVE ? desc.amount : 0;
    if (msg.value != value) revert WrongValue(msg.value, value);
  }

  function _checkRoute(Route memory route, SwapDescription calldata desc) private pure {
    address[] memory tokens = route.tokens;
    if (tokens.length < 2 || route.branches.length == 0) revert EmptyRoute(tokens.length, route.branches.length);
    (address first, address last) = (tokens[0], tokens[tokens.length - 1]);
    if (first != desc.srcToken || last != desc.dstToken || first == last) {
      revert WrongEnds(first, last, desc.srcToken, desc.dstToken);
    }
    for (uint256 i = 1; i < tokens.length; ++i) {
      for (uint256 j = 0; j < i; ++j) {
        if (tokens[j] == tokens[i]) revert RepeatedToken(tokens[i]);
      }
    }
    if (route.feePpm > MAX_FEE_PPM) revert FeeTooHigh(route.feePpm, MAX_FEE_PPM);
    if (route.feePpm > 0 && route.referrer == address(0)) revert NoReferrer(route.feePpm);
  }

  function _pull(SwapDescription calldata desc, bytes memory permit) private {
    if (desc.flags & USE_PERMIT2 == 0) {
      Permits.tryToken(desc.srcToken, permit);
      desc.srcToken.pull(msg.sender, desc.amount);
    } else {
      Permits.tryPermit2(PERMIT2, desc.srcToken, permit);
      if (desc.amount > type(uint160).max) revert AmountTooLarge(desc.amount);
      IPermit2(PERMIT2).transferFrom(msg.sender, address(this), uint160(desc.amount), desc.srcToken);
    }
  }

  /// @dev The fee is `feePpm` millionths of the spent amount, itself included.
  function _sellSource(Route memory route, Ledger memory ledger, bool partialFill) private returns (uint256) {
    uint256 arrived = ledger.held(0);
    uint256 fee = (arrived * route.feePpm) / MILLION;
    ledger.setAside(fee);
    uint256 given = arrived - fee;
    uint256 unsold = _sellBranches(route, ledger, given, partialFill);
    ledger.release(fee);
    if (fee == 0) return unsold;

    uint256 sold = unsold < given ? given - unsold : 0;
    uint256 due = (sold * route.feePpm) / (MILLION - route.feePpm);
    if (due > fee) due = fee; // `fee` was rounded down
    if (due > 0) route.tokens[0].send(route.referrer, due);
    return ledger.held(0);
  }

  function _sellBranches(
    Route memory route,
    Ledger memory ledger,
    uint256 given,
    bool partialFill
  ) private returns (uint256 unsold) {
    // A single branch reverts with its own reason.
    bool mayFail = partialFill && route.branches.length > 1;
    uint256 weights = 0;
    uint256 firstHop = 0;
    uint256 failed = 0;
    unsold = given;
    for (uint256 i = 0; i < route.branches.length; ++i) {
      Branch memory branch = route.branches[i];
      if (branch.hops.length == 0) revert EmptyBranch(i);
      bool last = i + 1 == route.branches.length;
      if (last != (branch.weight == 0) || weights + branch.weight >= MILLION) {
        revert WrongBranchWeight(i, branch.weight, weights);
      }
      weights += branch.weight;

      uint256 amount = last ? unsold - failed : (given * branch.weight) / MILLION;
      uint256 others = unsold - amount;
      ledger.setAside(others);
      (bool done, uint256 rest) = mayFail
        ? _trySelling(ledger, amount, branch.hops, i, firstHop)
        : (true, _sellAlong(ledger, amount, branch.hops, firstHop));
      ledger.release(others);
      if (!done) failed += amount;
      unsold = others + rest;
      firstHop += branch.hops.length;
    }
  }

  /// @dev Senders could starve a branch of gas: calls get at most 63/64 (EIP-150). Running out k calls deep
  /// leaves at most 1 − (63/64)^k, below 1/8 for k ≤ 8 (pools and tokens nest less). With less, the swap
  /// reverts.
  function _trySelling(
    Ledger memory ledger,
    uint256 amount,
    Hop[] memory hops,
    uint256 branch,
    uint256 firstHop
  ) private returns (bool done, uint256 rest) {
    uint256 gasBefore = gasleft();
    try this.sellBranch(ledger.tokens, ledger.idle, amount, hops, firstHop) returns (uint256 unsold) {
      return (true, unsold);
    } catch {
      if (gasleft() < gasBefore / 8) revert TooLittleGas(branch);
      emit BranchFailed(branch);
      return (false, amount);
    }
  }

  /// @dev Callers choose no selectors, so only `_trySelling` reaches this.
  function sellBranch(
    address[] memory tokens,
    uint256[] memory idle,
    uint256 amount,
    Hop[] memory hops,
    uint256 firstHop
  ) external returns (uint256 unsold) {
    if (msg.sender != address(this)) revert NotRouter(msg.sender);
    return _sellAlong(Ledger(tokens, idle), amount, hops, firstHop);
  }

  /// @dev Connector tokens must be fully sold.
  function _sellAlong(
    Ledger memory ledger,
    uint256 amount,
    Hop[] memory hops,
    uint256 firstHop
  ) private returns (uint256) {
    uint256 next = _sell(ledger, 0, amount, hops, 0, firstHop);
    for (uint256 from = 1; from < ledger.tokens.length - 1; ++from) {
      uint256 unsold = ledger.held(from);
      if (next < hops.length && hops[next].from == from) {
        next = _sell(ledger, from, unsold, hops, next, firstHop);
        unsold = ledger.held(from);
      }
      if (unsold > 0) revert Unsold(ledger.tokens[from], unsold);
    }
    if (next < hops.length) revert WrongOrder(firstHop + next, hops[next].from);
    return ledger.held(0);
  }

  /// @dev Returns the index of the first hop with another `from`.
  function _sell(
    Ledger memory ledger,
    uint256 from,
    uint256 held,
    Hop[] memory hops,
    uint256 next,
    uint256 firstHop
  ) private returns (uint256) {
    uint256 weights = 0;
    for (; next < hops.length && hops[next].from == from; ++next) {
      Hop memory hop = hops[next];
      uint256 index = firstHop + next;
      if (hop.to <= from || hop.to >= ledger.tokens.length) {
        revert WrongTarget(index, from, hop.to, ledger.tokens.length);
      }
      bool last = next + 1 == hops.length || hops[next + 1].from != from;
      if (last != (hop.weight == 0) || weights + hop.weight >= MILLION) {
        revert WrongWeight(index, hop.weight, weights);
      }
      uint256 amount = (held * hop.weight) / MILLION;
      if (last) amount = weights == 0 ? held : ledger.held(from);
      if (amount == 0) revert NothingToSell(index, ledger.tokens[from]);
      weights += hop.weight;

      uint256 before = ledger.held(hop.to);
      _hop(index, hop, ledger.tokens[from], ledger.tokens[hop.to], amount);
      if (ledger.held(hop.to) <= before) revert NothingBought(index, ledger.tokens[hop.to]);
    }
    return next;
  }

  function _hop(uint256 index, Hop memory hop, address sold, address bought, uint256 amount) private {
    if (hop.kind > BALANCER || (hop.kind == BALANCER && VAULT == address(0))) revert UnknownKind(index, hop.kind);
    bool fits = sold != NATIVE && bought != NATIVE;
    if (hop.kind == WRAP) fits = sold == NATIVE && bought == WETH;
    if (hop.kind == UNWRAP) fits = sold == WETH && bought == NATIVE;
    if (!fits) revert WrongTokens(index, sold, bought);

    if (hop.kind == WRAP) IWrapped(WETH).deposit{value: amount}();
    else if (hop.kind == UNWRAP) IWrapped(WETH).withdraw(amount);
    else if (hop.kind == V2) _swapV2(index, hop, sold, sold < bought, amount);
    else if (hop.kind == V3) _swapV3(hop.pool, sold, sold < bought, amount);
    else _swapBalancer(index, hop, sold, bought, amount);
  }

  /// @dev The pool counts its balance above the reserve as input.
  function _swapV2(uint256 index, Hop memory hop, address sold, bool zeroForOne, uint256 amount) private {
    if (hop.fee >= MILLION) revert WrongPoolFee(index, hop.fee);
    sold.send(hop.pool, amount);

    (uint256 reserveIn, uint256 reserveOut, ) = IV2Pool(hop.pool).getReserves();
    if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
    uint256 input = (sold.balanceOf(hop.pool) - reserveIn) * (MILLION - hop.fee);
    uint256 output = (input * reserveOut) / (reserveIn * MILLION + input);

    (uint256 amount0Out, uint256 amount1Out) = zeroForOne ? (uint256(0), output) : (output, uint256(0));
    IV2Pool(hop.pool).swap(amount0Out, amount1Out, address(this), '');
  }

  function _swapV3(address pool, address sold, bool zeroForOne, uint256 amount) private {
    if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);
    (armedPool, armedToken, armedAmount) = (pool, sold, amount);
    uint160 limit = zeroForOne ? LOWEST_SQRT_PRICE : HIGHEST_SQRT_PRICE;
    IV3Pool(pool).swap(address(this), zeroForOne, int256(amount), limit, '');
    armedPool = address(0);
  }

  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  /// @dev The only payment on demand: pool, token and maximum are fixed beforehand. Disarms first, to pay
  /// only once.
  function _payArmedPool(int256 demanded) private {
    if (msg.sender != armedPool) revert NotArmed(msg.sender);
    armedPool = address(0);
    if (demanded <= 0 || uint256(demanded) > armedAmount) revert WrongDemand(demanded, armedAmount);
    armedToken.send(msg.sender, uint256(demanded));
  }

  /// @dev The vault gets an allowance of `amount`, then zero.
  function _swapBalancer(uint256 index, Hop memory hop, address sold, address bought, uint256 amount) private {
    if (address(bytes20(hop.aux)) != hop.pool) revert WrongPoolId(index, hop.aux, hop.pool);
    sold.allow(VAULT, amount);
    IVault(VAULT).swap(
      IVault.SingleSwap(hop.aux, IVault.SwapKind.GIVEN_IN, sold, bought, amount, ''),
      IVault.FundManagement(address(this), false, payable(address(this)), false),
      0,
      block.timestamp
    );
    sold.disallow(VAULT);
  }

  /// @dev Tokens may tax transfers, so the minimum is checked twice.
  function _pay(
    Ledger memory ledger,
    address receiver,
    SwapDescription calldata desc,
    uint256 spent
  ) private returns (uint256 arrived) {
    uint256 dst = ledger.tokens.length - 1;
    uint256 bought = ledger.held(dst);
    _requireReturn(bought, desc, spent);
    uint256 before = desc.dstToken.balanceOf(receiver);
    desc.dstToken.send(receiver, bought);
    uint256 grown = desc.dstToken.balanceOf(receiver);
    arrived = grown > before ? grown - before : 0;
    _requireReturn(arrived, desc, spent);
    ledger.held(dst); // reverts if the token took more
  }

  /// @dev `minReturnAmount` is for the whole amount; a partial fill keeps its price.
  function _requireReturn(uint256 returned, SwapDescription calldata desc, uint256 spent) private pure {
    if (desc.flags & PARTIAL_FILL == 0) {
      if (returned < desc.minReturnAmount) revert ReturnTooLow(returned, desc.minReturnAmount);
    } else if (returned == 0 || !FullMath.atLeast(returned, desc.amount, desc.minReturnAmount, spent)) {
      revert FillTooLow(returned, spent, desc.amount, desc.minReturnAmount);
    }
  }
}
