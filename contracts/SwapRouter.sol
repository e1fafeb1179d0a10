// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {NATIVE, Transfers} from './Transfers.sol';

interface IWrapped {
  function deposit() external payable;
  function withdraw(uint256 amount) external;
}

interface IPermitToken {
  function permit(
    address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s
  ) external;

  function permit(
    address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s
  ) external;
}

interface IV2Pool {
  function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 timestamp);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IV3Pool {
  function swap(
    address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data
  ) external returns (int256 amount0, int256 amount1);
}

/// @title The router: pulls once, pays the partner, sells along the route, pays the receiver, gives back the rest.
/// @dev Two rules carry the safety.
///
/// Tokens are pulled from msg.sender alone, so an allowance to the router serves nobody but its giver. The caller names
/// tokens and pools, but never what is called on them: the selectors in this file are all the router ever calls.
///
/// What was in the router before a call (a gift or a mistake) is nobody's: `idle` notes it, and every amount in the file is
/// read as the balance above `idle` at that moment, never believed. So pools and tokens may lie, tax or send too much;
/// whatever they do, the router cannot pay out more than this call brought in.
contract SwapRouter is ISwapRouter {
  using Transfers for address;

  uint256 private constant MILLION = 1_000_000;
  uint256 private constant MAX_FEE_PPM = 30_000;

  uint8 private constant WRAP = 0;
  uint8 private constant UNWRAP = 1;
  uint8 private constant V2 = 2;
  uint8 private constant V3 = 3;

  /// @dev One inside MIN_SQRT_RATIO and MAX_SQRT_RATIO of v3-core's TickMath: no limit but the pool's own.
  uint160 private constant LOWEST_SQRT_PRICE = 4295128740;
  uint160 private constant HIGHEST_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  address public immutable WETH;

  bool private transient running;

  /// @dev The v3 pool being traded with, until it has asked for its input; what and how much it may ask for.
  address private transient armedPool;
  address private transient armedToken;
  uint256 private transient armedAmount;

  constructor(address weth) {
    WETH = weth;
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
    _checkRoute(route, desc);
    uint256[] memory idle = _idleBalances(route.tokens);

    if (desc.srcToken != NATIVE) {
      _tryPermit(desc.srcToken, route.permit);
      desc.srcToken.pull(msg.sender, desc.amount);
    }
    if (route.feePpm > 0) {
      desc.srcToken.send(route.referrer, (_held(route.tokens, idle, 0) * route.feePpm) / MILLION);
    }

    _sellAlong(route, idle);

    address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
    uint256 bought = _held(route.tokens, idle, route.tokens.length - 1);
    returnAmount = _pay(desc.dstToken, receiver, bought, desc.minReturnAmount);

    uint256 unsold = _held(route.tokens, idle, 0);
    if (unsold > 0) desc.srcToken.send(msg.sender, unsold);
    spentAmount = desc.amount - unsold;

    emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, spentAmount, returnAmount);
    running = false;
  }

  // Before the route: what is asked, what is there already, what is allowed.

  function _checkDescription(SwapDescription calldata desc) private view {
    if (desc.srcReceiver != address(this)) revert WrongSrcReceiver(desc.srcReceiver);
    if (desc.dstReceiver == address(this)) revert WrongDstReceiver(desc.dstReceiver);
    if (desc.flags != 0) revert UnknownFlags(desc.flags);
    uint256 value = desc.srcToken == NATIVE ? desc.amount : 0;
    if (msg.value != value) revert WrongValue(msg.value, value);
  }

  function _checkRoute(Route memory route, SwapDescription calldata desc) private pure {
    if (route.tokens.length < 2 || route.hops.length == 0) {
      revert EmptyRoute(route.tokens.length, route.hops.length);
    }
    address first = route.tokens[0];
    address last = route.tokens[route.tokens.length - 1];
    if (first != desc.srcToken || last != desc.dstToken || first == last) {
      revert WrongEnds(first, last, desc.srcToken, desc.dstToken);
    }
    if (route.feePpm > MAX_FEE_PPM) revert FeeTooHigh(route.feePpm, MAX_FEE_PPM);
    if (route.feePpm > 0 && route.referrer == address(0)) revert NoReferrer(route.feePpm);
  }

  function _idleBalances(address[] memory tokens) private view returns (uint256[] memory idle) {
    idle = new uint256[](tokens.length);
    for (uint256 i = 0; i < tokens.length; ++i) {
      idle[i] = tokens[i].balanceOf(address(this));
      if (tokens[i] == NATIVE) idle[i] -= msg.value;
    }
  }

  /// @dev What this call brought in of a token and still has.
  function _held(
    address[] memory tokens,
    uint256[] memory idle,
    uint256 index
  ) private view returns (uint256) {
    uint256 balance = tokens[index].balanceOf(address(this));
    if (balance < idle[index]) revert IdleTouched(tokens[index], balance, idle[index]);
    return balance - idle[index];
  }

  /// @dev A permit is public once its transaction is: anybody may have used it first, and then the allowance is there and
  /// the permit fails. So its failure says nothing, the pull that follows decides.
  function _tryPermit(address token, bytes memory permit) private {
    if (permit.length == 0) return;
    if (permit.length != 7 * 32 && permit.length != 8 * 32) revert WrongPermitLength(permit.length);
    (address owner, address spender) = abi.decode(permit, (address, address));
    if (owner != msg.sender || spender != address(this)) revert WrongPermit(owner, spender);

    if (permit.length == 7 * 32) {
      (, , uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) = abi.decode(
        permit,
        (address, address, uint256, uint256, uint8, bytes32, bytes32)
      );
      try IPermitToken(token).permit(owner, spender, value, deadline, v, r, s) {} catch {}
    } else {
      (, , uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s) = abi.decode(
        permit,
        (address, address, uint256, uint256, bool, uint8, bytes32, bytes32)
      );
      try IPermitToken(token).permit(owner, spender, nonce, expiry, allowed, v, r, s) {} catch {}
    }
  }

  // The route: token by token, and for each token hop by hop.

  function _sellAlong(Route memory route, uint256[] memory idle) private {
    uint256 next = 0;
    for (uint256 from = 0; from < route.tokens.length - 1; ++from) {
      next = _sell(route, idle, from, next);
      if (from == 0) continue; // what is left of the source goes back to its owner
      uint256 unsold = _held(route.tokens, idle, from);
      if (unsold > 0) revert Unsold(route.tokens[from], unsold);
    }
    if (next < route.hops.length) revert WrongOrder(next, route.hops[next].from);
  }

  /// @dev Runs the hops of one token, the first of which is `next`; returns the first that is not its own.
  function _sell(
    Route memory route,
    uint256[] memory idle,
    uint256 from,
    uint256 next
  ) private returns (uint256) {
    uint256 held = _held(route.tokens, idle, from);
    uint256 weights = 0;
    for (; next < route.hops.length && route.hops[next].from == from; ++next) {
      Hop memory hop = route.hops[next];
      if (hop.to <= from || hop.to >= route.tokens.length) {
        revert WrongTarget(next, from, hop.to, route.tokens.length);
      }

      bool last = next + 1 == route.hops.length || route.hops[next + 1].from != from;
      if (last != (hop.weight == 0) || weights + hop.weight >= MILLION) {
        revert WrongWeight(next, hop.weight, weights);
      }
      uint256 amount = last ? _held(route.tokens, idle, from) : (held * hop.weight) / MILLION;
      if (amount == 0) revert NothingToSell(next, route.tokens[from]);
      weights += hop.weight;

      uint256 before = _held(route.tokens, idle, hop.to);
      _hop(next, hop, route.tokens[from], route.tokens[hop.to], amount);
      if (_held(route.tokens, idle, hop.to) <= before) revert NothingBought(next, route.tokens[hop.to]);
    }
    return next;
  }

  function _hop(uint256 index, Hop memory hop, address sold, address bought, uint256 amount) private {
    if (hop.kind > V3) revert UnknownKind(index, hop.kind);
    bool fits = sold != NATIVE && bought != NATIVE;
    if (hop.kind == WRAP) fits = sold == NATIVE && bought == WETH;
    if (hop.kind == UNWRAP) fits = sold == WETH && bought == NATIVE;
    if (!fits) revert WrongTokens(index, sold, bought);

    if (hop.kind == WRAP) IWrapped(WETH).deposit{value: amount}();
    else if (hop.kind == UNWRAP) IWrapped(WETH).withdraw(amount);
    else if (hop.kind == V2) _swapV2(index, hop, sold, sold < bought, amount);
    else _swapV3(hop.pool, sold, sold < bought, amount);
  }

  /// @dev The pool counts as input what it has above its reserve, so that is what we ask it about.
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

  /// @dev The one place that pays on somebody else's demand. What a pool says of itself is not asked for: who, what and how
  /// much were fixed before it was called. Disarmed first, so that it can ask once.
  function _payArmedPool(int256 demanded) private {
    if (msg.sender != armedPool) revert NotArmed(msg.sender);
    armedPool = address(0);
    if (demanded <= 0 || uint256(demanded) > armedAmount) revert WrongDemand(demanded, armedAmount);
    armedToken.send(msg.sender, uint256(demanded));
  }

  // After the route.

  /// @dev A token may take its share on the way, so the minimum holds for what is sent and again for what arrives.
  function _pay(
    address token,
    address receiver,
    uint256 amount,
    uint256 minimum
  ) private returns (uint256 arrived) {
    if (amount < minimum) revert ReturnTooLow(amount, minimum);
    uint256 before = token.balanceOf(receiver);
    token.send(receiver, amount);
    arrived = token.balanceOf(receiver) - before;
    if (arrived < minimum) revert ReturnTooLow(arrived, minimum);
  }
}
