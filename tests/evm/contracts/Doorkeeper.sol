// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title Looks at who calls it, as some contracts do.
contract Doorkeeper {
  string public constant symbol = 'DOOR';
  string public constant name = 'Doorkeeper';
  uint8 public constant decimals = 18;

  mapping(address owner => uint256) public balanceOf;

  /// @notice Lets in who started the transaction himself.
  function personally() external {
    require(msg.sender == tx.origin, 'no contracts');
    balanceOf[msg.sender]++;
  }

  /// @notice Hands over an item as EIP-721 does it to a contract.
  function hand() external {
    if (msg.sender.code.length > 0) {
      (bool success, bytes memory answer) = msg.sender.call(
        abi.encodeWithSignature('onERC721Received(address,address,uint256,bytes)', address(this), address(0), 7, '')
      );
      require(success && abi.decode(answer, (bytes4)) == 0x150b7a02, 'not taken');
    }
    balanceOf[msg.sender]++;
  }

  /// @notice Checks a signature as Permit2 and USDC do: by the contract's own word where there is one.
  function signed(bytes32 hash, bytes calldata signature) external {
    if (msg.sender.code.length > 0) {
      (bool success, bytes memory answer) = msg.sender.call(
        abi.encodeWithSignature('isValidSignature(bytes32,bytes)', hash, signature)
      );
      require(success && abi.decode(answer, (bytes4)) == 0x1626ba7e, 'wrong signature');
    } else {
      address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
      require(signer == msg.sender, 'wrong signature');
    }
    balanceOf[msg.sender]++;
  }

  /// @notice Calls back with what it likes.
  function callBack(bytes calldata data) external {
    (bool success, ) = msg.sender.call(data);
    require(success, 'refused');
    balanceOf[msg.sender]++;
  }
}
