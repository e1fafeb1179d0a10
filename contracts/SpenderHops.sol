// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from './Payments.sol';
import {
  ICurvePool,
  ICurveReceiverPool,
  ICurveUnsignedPool,
  IERC4626,
  IPegModule,
  IVault,
  IWrappedShares
} from './Pools.sol';
import {Hop} from './Route.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @notice Hops whose contract takes the sold tokens from the router: Balancer v2, Curve and converters.
abstract contract SpenderHops is Payments {
  using Transfers for address;

  uint256 internal constant BALANCER = 4;
  uint256 internal constant CURVE = 6;
  uint256 internal constant CONVERTER = 9;

  // Forms of Curve's `exchange`: indices int128 or uint256, or int128 and a receiver.
  uint256 private constant SIGNED = 0;
  uint256 private constant UNSIGNED = 1;
  uint256 private constant TO_RECEIVER = 2;

  // Forms of converters.
  uint256 private constant DEPOSIT = 0;
  uint256 private constant REDEEM = 1;
  uint256 private constant WRAP_SHARES = 2;
  uint256 private constant UNWRAP_SHARES = 3;
  uint256 private constant SELL_GEM = 4;
  uint256 private constant BUY_GEM = 5;

  uint256 private constant WAD = 1e18;

  /// @dev The spender gets an allowance of what arrived, then zero. The sender gets back what it leaves, and
  /// this counts as sold: pulling it again would exceed the swap's amount where the token taxes transfers.
  function _sellToSpender(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) internal {
    uint256 idle = sold.balanceOf(address(this));
    if (funds == ROUTER) idle -= amount;
    else _transfer(sold, funds, address(this), amount);
    _spend(index, hop, sold, bought, sold.balanceOf(address(this)) - idle, to);
    uint256 left = sold.balanceOf(address(this));
    // An unsold native token reverts.
    if (left > idle + DUST && sold != NATIVE) sold.send(address(uint160(sender)), left - idle);
    _requireIdle(sold, idle);
  }

  function _spend(uint256 index, Hop hop, address sold, address bought, uint256 amount, address to) private {
    uint256 kind = hop.kind();
    address spender = kind == BALANCER ? VAULT : hop.pool();
    bool isAllowed = sold != NATIVE && !_burns(hop);
    bool isDirect = to == address(this) || _pays(hop);
    uint256 idle = isDirect ? 0 : bought.balanceOf(address(this));
    if (isAllowed) sold.allow(spender, amount);

    if (bought == NATIVE) payer = uint160(spender);
    (bool done, bytes memory reason) = spender.call{value: sold == NATIVE ? amount : 0}(
      _callOf(index, hop, sold, bought, amount, to)
    );
    if (!done || spender.code.length == 0) revert PoolFailed(spender, reason);
    if (bought == NATIVE) payer = 0;
    if (isAllowed) sold.disallow(spender);
    if (isDirect) return;
    uint256 balance = bought.balanceOf(address(this));
    if (balance <= idle) revert NothingBought(index, bought);
    bought.send(to, balance - idle);
  }

  /// @dev True if the contract takes the router's shares without an allowance.
  function _burns(Hop hop) private pure returns (bool) {
    uint256 form = hop.form();
    return hop.kind() == CONVERTER && (form == REDEEM || form == UNWRAP_SHARES);
  }

  /// @dev True if the contract pays the recipient, and not the router.
  function _pays(Hop hop) private pure returns (bool) {
    (uint256 kind, uint256 form) = (hop.kind(), hop.form());
    if (kind == CONVERTER) return form != WRAP_SHARES && form != UNWRAP_SHARES;
    return kind == BALANCER || form >> 16 == TO_RECEIVER;
  }

  function _callOf(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    address to
  ) private view returns (bytes memory) {
    uint256 kind = hop.kind();
    if (kind == BALANCER) {
      if (VAULT == address(0)) revert UnknownKind(index, BALANCER);
      return abi.encodeCall(
        IVault.swap,
        (
          IVault.SingleSwap(hop.poolId(), IVault.SwapKind.GIVEN_IN, sold, bought, amount, ''),
          IVault.FundManagement(address(this), false, payable(to), false),
          0,
          block.timestamp
        )
      );
    }
    if (kind == CURVE) {
      (uint256 curveForm, uint256 i, uint256 j) = hop.coins();
      if (curveForm > TO_RECEIVER) revert UnknownKind(index, CURVE);
      bytes4 exchange = curveForm == SIGNED
        ? ICurvePool.exchange.selector
        : curveForm == UNSIGNED
          ? ICurveUnsignedPool.exchange.selector
          : ICurveReceiverPool.exchange.selector;
      // Pools without a receiver ignore the last word.
      return abi.encodeWithSelector(exchange, i, j, amount, 0, to);
    }
    // Only the shares that the hop sells may be burnt.
    if (_burns(hop) && hop.pool() != sold) revert WrongTokens(index, sold, bought);
    uint256 form = hop.form();
    if (form == DEPOSIT) return abi.encodeCall(IERC4626.deposit, (amount, to));
    if (form == REDEEM) return abi.encodeCall(IERC4626.redeem, (amount, to, address(this)));
    if (form == WRAP_SHARES) return abi.encodeCall(IWrappedShares.wrap, (amount));
    if (form == UNWRAP_SHARES) return abi.encodeCall(IWrappedShares.unwrap, (amount));
    if (form == SELL_GEM) return abi.encodeCall(IPegModule.sellGem, (to, amount));
    if (form != BUY_GEM) revert UnknownKind(index, CONVERTER);
    IPegModule module = IPegModule(hop.pool());
    uint256 gems = (amount * WAD) / ((WAD + module.tout()) * module.to18ConversionFactor());
    return abi.encodeCall(IPegModule.buyGem, (to, gems));
  }
}
