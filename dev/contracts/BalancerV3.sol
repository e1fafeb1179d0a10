// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAuthorizer} from '@balancer-labs/v3-interfaces/contracts/vault/IAuthorizer.sol';
import {IVault} from '@balancer-labs/v3-interfaces/contracts/vault/IVault.sol';
import {StablePool} from '@balancer-labs/v3-pool-stable/contracts/StablePool.sol';
import {StablePoolFactory} from '@balancer-labs/v3-pool-stable/contracts/StablePoolFactory.sol';
import {WeightedPool} from '@balancer-labs/v3-pool-weighted/contracts/WeightedPool.sol';
import {WeightedPoolFactory} from '@balancer-labs/v3-pool-weighted/contracts/WeightedPoolFactory.sol';
import {ProtocolFeeController} from '@balancer-labs/v3-vault/contracts/ProtocolFeeController.sol';
import {Vault} from '@balancer-labs/v3-vault/contracts/Vault.sol';
import {VaultAdmin} from '@balancer-labs/v3-vault/contracts/VaultAdmin.sol';
import {VaultExtension} from '@balancer-labs/v3-vault/contracts/VaultExtension.sol';

/// @dev Permits one account everything.
contract OwnerAuthorizer is IAuthorizer {
  address private immutable owner;

  constructor(address owner_) {
    owner = owner_;
  }

  function canPerform(bytes32, address account, address) external view returns (bool) {
    return account == owner;
  }
}

/// @dev Makes any calls while Balancer's v3 vault is unlocked. For the localnet: it protects nothing.
contract VaultOperator {
  struct Step {
    address to;
    bytes data;
  }

  IVault private immutable vault;

  constructor(IVault vault_) {
    vault = vault_;
  }

  function run(Step[] calldata steps) external returns (bytes memory) {
    return vault.unlock(abi.encodeCall(this.perform, (steps)));
  }

  /// @dev Without settlement; for calls from the zero address (VaultExtension.quote).
  function query(Step[] calldata steps) external returns (bytes memory) {
    return vault.quote(abi.encodeCall(this.perform, (steps)));
  }

  function perform(Step[] calldata steps) external returns (bytes[] memory results) {
    results = new bytes[](steps.length);
    for (uint256 i = 0; i < steps.length; i++) {
      (bool succeeded, bytes memory result) = steps[i].to.call(steps[i].data);
      if (!succeeded) {
        assembly {
          revert(add(result, 32), mload(result))
        }
      }
      results[i] = result;
    }
  }
}
