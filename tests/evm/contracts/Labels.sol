// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title A token with what EIP-20 requires, and nothing of what is optional.
contract Bare {
  uint256 public constant totalSupply = 1000;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  constructor(address owner) {
    balanceOf[owner] = totalSupply;
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    return true;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    emit Transfer(msg.sender, to, amount);
    return true;
  }
}

/// @title A token that encodes its strings behind a word of its own: the offset is 64, not 32.
contract FarLabels {
  uint8 public constant decimals = 9;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  function symbol() external pure {
    answer('FAR');
  }

  function name() external pure {
    answer('Far away');
  }

  function answer(string memory text) private pure {
    bytes memory data = abi.encodePacked(uint256(64), uint256(5), bytes(text).length, bytes32(bytes(text)));
    assembly {
      return(add(data, 32), mload(data))
    }
  }
}

/// @title A collection of EIP-721, as far as its labels and balances go.
contract Collectible {
  string public constant symbol = 'ITEM';
  string public constant name = 'Items';
  mapping(address owner => uint256) public balanceOf;

  function getApproved(uint256) external pure returns (address) {
    return address(0);
  }
}

/// @title A price feed: decimals without a token.
contract Feed {
  uint8 public constant decimals = 8;
  string public constant symbol = 'ETH / USD';
  string public constant name = 'ETH / USD';

  function latestAnswer() external pure returns (int256) {
    return 3000e8;
  }
}
