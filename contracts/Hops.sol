// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from './Payments.sol';
import {ISolidlyPool, IV2Pool, IV3Pool, IWrapped} from './Pools.sol';
import {Hop} from './Route.sol';
import {SpenderHops} from './SpenderHops.sol';
import {NATIVE, Transfers} from './Transfers.sol';
import {UnlockHops} from './UnlockHops.sol';

/// @notice Trades single hops and pays their pools.
/// @dev All functions that the router calls on pools and vaults are here and in the two parents.
abstract contract Hops is SpenderHops, UnlockHops {
  using Transfers for address;

  uint256 internal constant MILLION = 1_000_000;

  uint256 internal constant WRAP = 0;
  uint256 internal constant UNWRAP = 1;
  uint256 internal constant V2 = 2;
  uint256 internal constant V3 = 3;
  uint256 internal constant SOLIDLY = 5;

  /// @dev The v3 pool that may call back, and what it may take: the token, above its 160 bits where it is,
  /// and the maximum.
  uint256 private transient armedPool;
  uint256 private transient armedToken;
  uint256 private transient armedAmount;

  /// @param amount ignored if the pool has it
  /// @param to receives the bought tokens; native tokens stay at the router
  /// @return taken at most `amount`: pools may leave some
  function _trade(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) internal returns (uint256 taken) {
    uint256 kind = hop.kind();
    bool isNative = sold == NATIVE || bought == NATIVE;
    if (isNative ? kind != V4 && kind != CURVE && kind > UNWRAP : kind <= UNWRAP) {
      revert WrongTokens(index, sold, bought);
    }
    if (kind == V3) return _swapV3(hop.pool(), sold, sold < bought, amount, funds, to);
    if (kind == V2) _swapV2(index, hop, sold, sold < bought, amount, funds, to);
    else if (kind == SOLIDLY) _swapSolidly(index, hop.pool(), sold, sold < bought, amount, funds, to);
    else if (kind == V4 || kind == BALANCER_V3) return _sellUnlocked(index, hop, sold, bought, amount, funds, to);
    else if (kind <= UNWRAP) _wrapOrUnwrap(index, kind, sold, bought, amount, funds, to);
    else if (kind <= CONVERTER) _sellToSpender(index, hop, sold, bought, amount, funds, to);
    else revert UnknownKind(index, kind);
    return amount;
  }

  function _wrapOrUnwrap(
    uint256 index,
    uint256 kind,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) private {
    (address from, address into) = kind == WRAP ? (NATIVE, WETH) : (WETH, NATIVE);
    if (sold != from || bought != into) revert WrongTokens(index, sold, bought);
    if (kind == WRAP) {
      IWrapped(WETH).deposit{value: amount}();
      if (to != address(this)) WETH.send(to, amount);
    } else {
      if (funds != ROUTER) _transfer(WETH, funds, address(this), amount);
      IWrapped(WETH).withdraw(amount);
    }
  }

  /// @dev The pool counts its balance above the reserve as input.
  function _swapV2(
    uint256 index,
    Hop hop,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private {
    (address pool, uint256 fee) = (hop.pool(), hop.fee());
    if (fee >= MILLION) revert WrongPoolFee(index, fee);
    if (funds != POOL) _transfer(sold, funds, pool, amount);

    (uint256 reserveIn, uint256 reserveOut, ) = IV2Pool(pool).getReserves();
    if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
    uint256 input = (sold.balanceOf(pool) - reserveIn) * (MILLION - fee);
    if (input == 0) revert NothingToSell(index, sold);
    uint256 output = (input * reserveOut) / (reserveIn * MILLION + input);

    (uint256 amount0Out, uint256 amount1Out) = zeroForOne ? (uint256(0), output) : (output, uint256(0));
    IV2Pool(pool).swap(amount0Out, amount1Out, to, '');
  }

  /// @dev Like v2, but the pool computes the output: its fee changes, and stable pools use Newton's method.
  function _swapSolidly(
    uint256 index,
    address pool,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private {
    if (funds != POOL) _transfer(sold, funds, pool, amount);

    (uint256 reserve0, uint256 reserve1, ) = ISolidlyPool(pool).getReserves();
    uint256 input = sold.balanceOf(pool) - (zeroForOne ? reserve0 : reserve1);
    if (input == 0) revert NothingToSell(index, sold);
    uint256 output = ISolidlyPool(pool).getAmountOut(input, sold);

    (uint256 amount0Out, uint256 amount1Out) = zeroForOne ? (uint256(0), output) : (output, uint256(0));
    ISolidlyPool(pool).swap(amount0Out, amount1Out, to, '');
  }

  function _swapV3(
    address pool,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private returns (uint256 taken) {
    if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);
    armedPool = uint160(pool);
    armedToken = (funds << 160) | uint160(sold);
    armedAmount = amount;
    uint160 limit = zeroForOne ? LOWEST_SQRT_PRICE : HIGHEST_SQRT_PRICE;
    IV3Pool(pool).swap(to, zeroForOne, int256(amount), limit, '');
    unchecked {
      taken = amount - armedAmount; // payments only lower it
    }
    if (taken == 0) armedPool = 0; // else the payment disarmed it
  }

  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  function algebraSwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  /// @dev The only payment on demand: pool, token, maximum and payer are fixed beforehand. Disarms first, to
  /// pay only once, and leaves the rest in `armedAmount`.
  function _payArmedPool(int256 demanded) private {
    if (uint160(msg.sender) != armedPool) revert NotArmed(msg.sender);
    armedPool = 0;
    uint256 armed = armedAmount;
    if (demanded <= 0 || uint256(demanded) > armed) revert WrongDemand(demanded, armed);
    unchecked {
      armedAmount = armed - uint256(demanded);
    }
    uint256 token = armedToken;
    _transfer(address(uint160(token)), token >> 160, msg.sender, uint256(demanded));
  }
}
