// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE, Transfers} from '../../Transfers.sol';
import {Gauntlet} from './FuzzHarness.sol';

interface IPays {
  function transfer(address to, uint256 value) external;
  function transferFrom(address from, address to, uint256 value) external;
}

interface ICallbacks {
  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;
  function algebraSwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;
}

/// @notice Mostly trades, so that later steps are reached.
contract Rogue {
  using Transfers for address;

  struct SwapRequest {
    uint8 kind;
    address tokenIn;
    address tokenOut;
    uint256 amount;
    bytes32 poolId;
    uint256 lastChangeBlock;
    address from;
    address to;
    bytes userData;
  }

  Gauntlet internal immutable director;

  constructor(Gauntlet director_) {
    director = director_;
  }

  function perform(address target, bytes calldata data) external {
    (bool done, ) = target.call(data);
    require(done);
  }

  /// @notice Recipient or referrer.
  receive() external payable {
    attack(2);
  }

  /// @notice v2 pair.
  function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 timestamp) {
    uint256 number = director.seed();
    if (number % 8 == 0) return (uint112(number), uint112(number >> 128), 0);
    return (uint112(number % 1_000 + 1), uint112((number >> 128) % 1_000_000 + 1), 0);
  }

  function swap(uint256, uint256, address to, bytes calldata) external {
    attack(2);
    pay(to);
  }

  /// @notice v3 pool.
  function swap(address to, bool zeroForOne, int256 amount, uint160, bytes calldata) external {
    attack(3);
    uint256 number = director.roll() % 16;
    int256 asked = amount;
    if (number < 3) asked = [int256(0), amount / 2, amount + 1][number];
    for (uint256 i = 0; i < (number == 3 ? 2 : 1); ++i) demand(zeroForOne, asked);
    attack(3);
    pay(to);
  }

  /// @notice Balancer pool.
  function onSwap(SwapRequest calldata, uint256, uint256) external returns (uint256) {
    attack(2);
    return director.roll() % 1_000;
  }

  /// @notice Curve pool with signed indices.
  function exchange(int128, int128, uint256 amount, uint256) external payable {
    trade(amount, msg.sender);
  }

  function exchange(int128, int128, uint256 amount, uint256, address to) external payable {
    trade(amount, to);
  }

  /// @notice Curve pool with unsigned indices.
  function exchange(uint256, uint256, uint256 amount, uint256) external payable {
    trade(amount, msg.sender);
  }

  /// @notice ERC-4626 vault.
  function deposit(uint256 assets, address to) external {
    trade(assets, to);
  }

  function redeem(uint256 shares, address to, address) external {
    trade(shares, to);
  }

  /// @notice wstETH.
  function wrap(uint256 amount) external {
    trade(amount, msg.sender);
  }

  function unwrap(uint256 amount) external {
    trade(amount, msg.sender);
  }

  /// @notice Peg module.
  function sellGem(address to, uint256 gems) external {
    trade(gems, to);
  }

  function buyGem(address to, uint256 gems) external {
    trade(gems, to);
  }

  function tout() external view returns (uint256) {
    uint256 number = director.seed();
    return number % 8 == 0 ? type(uint256).max : (number % 4) * 1e15;
  }

  function to18ConversionFactor() external view returns (uint256) {
    return [uint256(0), 1, 10, 1e12][director.seed() % 4];
  }

  function onJoinPool(
    bytes32,
    address,
    address,
    uint256[] calldata,
    uint256,
    uint256,
    bytes calldata userData
  ) external pure returns (uint256[] memory amounts, uint256[] memory fees) {
    (, amounts) = abi.decode(userData, (uint256, uint256[]));
    fees = new uint256[](amounts.length);
  }

  /// @dev Attacks once in `odds`.
  function attack(uint256 odds) internal {
    if (!director.playing() || director.roll() % odds != 0) return;
    Gauntlet.Move memory move = director.prompt();
    (bool done, ) = move.target.call{value: move.value}(move.data);
    director.count(done);
  }

  function demand(bool zeroForOne, int256 amount) private {
    (int256 amount0, int256 amount1) = zeroForOne ? (amount, int256(0)) : (int256(0), amount);
    uint256 number = director.roll() % 3;
    // Continues after a revert.
    if (number == 0) try ICallbacks(msg.sender).algebraSwapCallback(amount0, amount1, '') {} catch {}
    else if (number == 1) try ICallbacks(msg.sender).pancakeV3SwapCallback(amount0, amount1, '') {} catch {}
    else try ICallbacks(msg.sender).uniswapV3SwapCallback(amount0, amount1, '') {} catch {}
  }

  /// @dev Takes sold tokens of its caller: mostly the amount, sometimes more, less or none.
  function trade(uint256 amount, address to) private {
    attack(3);
    uint256 number = director.roll() % 16;
    uint256 taken = amount;
    if (number < 4) taken = [uint256(0), amount / 2, amount + 1, amount > 2 ? amount - 2 : 0][number];
    address sold = director.takes(this);
    if (sold != NATIVE) try IPays(sold).transferFrom(msg.sender, address(this), taken) {} catch {}
    attack(3);
    pay(to);
  }

  /// @dev Sometimes to the wrong account.
  function pay(address to) private {
    uint256 number = director.roll();
    if (number % 16 == 0) return;
    address token = director.pays(this);
    address target = number % 16 == 1 ? msg.sender : to;
    if (token != NATIVE) IPays(token).transfer(target, (number >> 8) % 1_000_000);
    else if (number % 16 != 2) NATIVE.send(target, (number >> 8) % 1_000_000);
  }
}
