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

/// @dev The part of Uniswap's Permit2 (AllowanceTransfer) that the router calls.
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

/// @title Allowances by signature, tried before the pull.
/// @notice A permit is public once its transaction is: anybody may have used it first, and then the allowance is there and
/// the permit fails. So its failure says nothing, the pull that follows decides.
library Permits {
  /// @dev Of the token itself: EIP-2612 (7 words) or as Dai has it (8 words).
  function tryToken(address token, bytes memory permit) internal {
    if (permit.length == 0) return;
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

  /// @dev Of Permit2: the arguments of its `permit` for one token, with a signature of 65 bytes (12 words).
  function tryPermit2(address permit2, address token, bytes memory permit) internal {
    if (permit.length == 0) return;
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
