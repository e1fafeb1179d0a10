// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';

interface IPermitToken {
  function permit(
    address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s
  ) external;

  function permit(
    address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s
  ) external;
}

/// @dev Subset of Uniswap's Permit2 (AllowanceTransfer).
interface IPermit2 {
  struct PermitDetails {
    address token;
    uint160 amount;
    uint48 expiration;
    uint48 nonce;
  }
  struct PermitSingle {
    PermitDetails details;
    address spender;
    uint256 sigDeadline;
  }

  function permit(address owner, PermitSingle calldata permitSingle, bytes calldata signature) external;
  function transferFrom(address from, address to, uint160 amount, address token) external;
}

/// @notice Submits permits before the pull.
/// @dev Failures are ignored: a front-run permit fails, but its allowance is set.
library Permits {
  /// @dev EIP-2612 (7 words) or DAI (8 words).
  function tryToken(address token, bytes calldata permit) internal {
    if (permit.length != 7 * 32 && permit.length != 8 * 32) revert ISwapRouter.WrongPermitLength(permit.length);
    (address owner, address spender) = abi.decode(permit, (address, address));
    _requireOurs(owner, spender);

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

  /// @dev One token, 65-byte signature (12 words).
  function tryPermit2(address permit2, address token, bytes calldata permit) internal {
    if (permit.length != 12 * 32) revert ISwapRouter.WrongPermitLength(permit.length);
    (address owner, IPermit2.PermitSingle memory single, bytes memory signature) = abi.decode(
      permit,
      (address, IPermit2.PermitSingle, bytes)
    );
    _requireOurs(owner, single.spender);
    if (single.details.token != token) revert ISwapRouter.WrongPermitToken(single.details.token, token);
    try IPermit2(permit2).permit(owner, single, signature) {} catch {}
  }

  function _requireOurs(address owner, address spender) private view {
    if (owner != msg.sender || spender != address(this)) revert ISwapRouter.WrongPermit(owner, spender);
  }
}
