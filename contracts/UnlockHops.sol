// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from './Payments.sol';
import {IPoolManager, IUnlocked, IVaultV3} from './Pools.sol';
import {Hop} from './Route.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @notice Hops in contracts that hold the tokens of all their pools and call back to be paid: Uniswap v4,
/// Balancer v3.
abstract contract UnlockHops is Payments {
  using Transfers for address;

  uint256 internal constant V4 = 7;
  uint256 internal constant BALANCER_V3 = 8;

  /// @dev The manager or vault that may call back, once, and what it took.
  uint256 private transient unlocking;
  uint256 private transient unlockedTaken;

  function _sellUnlocked(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) internal returns (uint256) {
    bool isV4 = hop.kind() == V4;
    address target = isV4 ? POOL_MANAGER : VAULT_V3;
    if (target == address(0)) revert UnknownKind(index, hop.kind());
    // The largest amount of both.
    if (amount > uint128(type(int128).max)) revert AmountTooLarge(amount);
    unlocking = uint160(target);
    if (bought == NATIVE) payer = uint160(target);
    bytes memory data = abi.encode(hop, sold, bought, amount, funds, to);
    // The manager passes the data to `unlockCallback`, the vault calls with them.
    IUnlocked(target).unlock(isV4 ? data : abi.encodeCall(this.unlockCallback, (data)));
    if (bought == NATIVE) payer = 0;
    return unlockedTaken;
  }

  /// @dev Disarms first: hooks and tokens may run code.
  function unlockCallback(bytes calldata data) external returns (bytes memory) {
    if (uint160(msg.sender) != unlocking) revert NotArmed(msg.sender);
    unlocking = 0;
    (Hop hop, address sold, address bought, uint256 amount, uint256 funds, address to) = abi.decode(
      data,
      (Hop, address, address, uint256, uint256, address)
    );
    unlockedTaken = hop.kind() == V4
      ? _sellInManager(hop, sold, bought, amount, funds, to)
      : _sellInVaultV3(hop, sold, bought, amount, funds, to);
    return '';
  }

  /// @dev Native tokens are currency 0 in the manager, and not wrapped.
  function _sellInManager(
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) private returns (uint256 taken) {
    IPoolManager manager = IPoolManager(msg.sender);
    uint256 got;
    (taken, got) = _swapV4(hop, _currency(sold), _currency(bought), amount);
    // Also of the native token: another one may have been synced before.
    manager.sync(_currency(sold));
    if (sold != NATIVE) _transfer(sold, funds, msg.sender, taken);
    manager.settle{value: sold == NATIVE ? taken : 0}();
    manager.take(_currency(bought), to, got);
  }

  function _swapV4(
    Hop hop,
    address sold,
    address bought,
    uint256 amount
  ) private returns (uint256 taken, uint256 got) {
    bool zeroForOne = sold < bought;
    IPoolManager.PoolKey memory key;
    (key.currency0, key.currency1) = zeroForOne ? (sold, bought) : (bought, sold);
    (key.fee, key.tickSpacing) = hop.poolKey();
    key.hooks = hop.pool();
    int256 delta = IPoolManager(msg.sender).swap(
      key,
      IPoolManager.SwapParams(zeroForOne, -int256(amount), zeroForOne ? LOWEST_SQRT_PRICE : HIGHEST_SQRT_PRICE),
      ''
    );
    // Positive numbers are due to the router.
    (int256 paid, int256 received) = (delta >> 128, int128(delta));
    if (!zeroForOne) (paid, received) = (received, paid);
    if (paid > 0 || uint256(-paid) > amount || received < 0) revert WrongDemand(paid, amount);
    return (uint256(-paid), uint256(received));
  }

  function _currency(address token) private pure returns (address) {
    return token == NATIVE ? address(0) : token;
  }

  function _sellInVaultV3(
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) private returns (uint256) {
    IVaultV3 vault = IVaultV3(msg.sender);
    (, , uint256 got) = vault.swap(
      IVaultV3.VaultSwapParams(IVaultV3.SwapKind.EXACT_IN, hop.pool(), sold, bought, amount, 0, '')
    );
    _transfer(sold, funds, msg.sender, amount);
    vault.settle(sold, amount);
    vault.sendTo(bought, to, got);
    return amount;
  }
}
